// See Build.h. An id is a note of an ELF file (man 5 elf, "Notes").
#include "Explore/Build.h"

#include "Explore/Job.h"

#include <cstring>
#include <elf.h>
#include <link.h>
#include <map>

namespace daedalus::explore {
namespace {

/// The id among the notes of a segment, in hexadecimal; empty where there is none.
std::string idOf(const char *notes, size_t size) {
  for (size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size;) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes + at, sizeof note);
    const char *name = notes + at + sizeof note, *id = name + (note.n_namesz + 3) / 4 * 4;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
      std::string text;
      for (uint32_t i = 0; i < note.n_descsz; ++i)
        for (const unsigned shift : {4u, 0u})
          text += "0123456789abcdef"[static_cast<unsigned char>(id[i]) >> shift & 15];
      return text;
    }
    at = static_cast<size_t>(id - notes) + (note.n_descsz + 3) / 4 * 4;
  }
  return "";
}

int addObject(dl_phdr_info *object, size_t, void *ids) {
  const char *slash = std::strrchr(object->dlpi_name, '/');
  const std::string name = slash ? slash + 1 : object->dlpi_name; // of the program: empty
  if (!name.empty() &&
      (name.rfind("libdaedalus_", 0) != 0 || name == Job::module)) // messages count no cycles
    return 0;
  for (unsigned i = 0; i < object->dlpi_phnum; ++i)
    if (const ElfW(Phdr) &segment = object->dlpi_phdr[i]; segment.p_type == PT_NOTE)
      if (const std::string id =
              idOf(reinterpret_cast<const char *>(object->dlpi_addr + segment.p_vaddr), segment.p_memsz);
          !id.empty())
        (*static_cast<std::map<std::string, std::string> *>(ids))[name] = id;
  return 0;
}

} // namespace

std::string buildOfThis() {
  std::map<std::string, std::string> ids;
  dl_iterate_phdr(addObject, &ids);
  std::string text;
  for (const auto &[name, id] : ids)
    text += name + " " + id + "\n";
  return text;
}

} // namespace daedalus::explore
