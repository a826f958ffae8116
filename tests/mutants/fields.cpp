// A walk over the package's structure that collects its fields.

#include "fields.h"

#include <type_traits>

namespace daedalus::mutants {
namespace {

using namespace package;

/// "functions[0].steps[3]" to "functions.steps".
std::string kindOf(const std::string &where) {
  std::string kind;
  bool inside = false;
  for (char c : where) {
    inside = c == '[' || (inside && c != ']');
    if (!inside && c != ']')
      kind += c;
  }
  return kind;
}

std::string otherText(std::string text, Random &random) {
  switch (random() % 5) {
  case 0:
    return "";
  case 1:
    return text + static_cast<char>(random() % 256);
  case 2:
    return text.substr(0, text.size() / 2);
  case 3:
    return std::string(random() % 2 ? 300 : 1, '\0');
  default:
    if (!text.empty())
      text[random() % text.size()] ^= static_cast<char>(1 + random() % 255);
    return text;
  }
}

class Walk {
public:
  std::map<std::string, std::vector<Field>> fields;

  void package(Package &p) {
    text("machineName", p.machineName);
    number("machineHash", p.machineHash);
    number("arenaBytes", p.arenaBytes);
    bytes("constants", p.constants);
    list("functions", p.functions, [&](auto where, Function &f) { function(where, f); });
    list("kernels", p.kernels, [&](auto where, Kernel &k) { kernel(where, k); });
    list("externals", p.externals, [&](auto where, std::string &name) { text(where, name); });
    list("programs", p.programs, [&](auto where, AcceleratorProgram &a) { program(where, a); });
    list("objects", p.objects, [&](auto where, ElfObject &o) { object(where, o); });
    list("devices", p.devices, [&](auto where, Device &d) { device(where, d); });
    list("layers", p.layers, [&](auto where, Layer &l) { layer(where, l); });
  }

private:
  void add(const std::string &where, std::function<void(Random &)> change) {
    fields[kindOf(where)].push_back({where, std::move(change)});
  }
  void text(const std::string &where, std::string &value) {
    add(where, [&value](Random &random) { value = otherText(value, random); });
  }
  template <class T> void number(const std::string &where, T &value) {
    add(where, [&value](Random &random) {
      value = static_cast<T>(otherNumber(static_cast<uint64_t>(value), random));
    });
  }
  /// Within its values, or past their end.
  template <class E> void choice(const std::string &where, E &value, unsigned count) {
    add(where, [&value, count](Random &random) { value = static_cast<E>(random() % (count + 2)); });
  }
  void bytes(const std::string &where, std::vector<uint8_t> &value) {
    add(where, [&value](Random &random) {
      if (value.empty() || random() % 8 == 0)
        value.resize(value.size() + random() % 3 * 64);
      else if (random() % 8 == 0)
        value.resize(random() % value.size());
      else
        value[random() % value.size()] ^= static_cast<uint8_t>(1 + random() % 255);
    });
  }
  template <class T, class F> void list(const std::string &where, std::vector<T> &items, F each) {
    add(where, [&items](Random &random) { changeList(items, random); });
    for (size_t i = 0; i < items.size(); ++i)
      each(where + "[" + std::to_string(i) + "]", items[i]);
  }
  template <class T> static void changeList(std::vector<T> &items, Random &random) {
    if (items.empty()) {
      items.emplace_back();
      return;
    }
    const size_t at = random() % items.size(), other = random() % items.size();
    switch (random() % 4) {
    case 0:
      items.erase(items.begin() + at);
      break;
    case 1:
      items.insert(items.begin() + at, T(items[other]));
      break;
    case 2:
      items.insert(items.begin() + at, T());
      break;
    default:
      std::swap(items[at], items[other]);
    }
  }

  void type(const std::string &where, TensorType &t) {
    choice(where + ".dtype", t.dtype, 7);
    list(where + ".shape", t.shape, [&](auto at, int64_t &size) { number(at, size); });
  }
  void value(const std::string &where, Value &v) {
    text(where + ".name", v.name);
    type(where + ".type", v.type);
    number(where + ".offset", v.offset);
  }
  void ref(const std::string &where, Ref &r) {
    choice(where + ".space", r.space, 3);
    number(where + ".offset", r.offset);
    number(where + ".bytes", r.bytes);
    type(where + ".type", r.type);
  }
  void step(const std::string &where, Step &s) {
    choice(where + ".kind", s.kind, 6);
    number(where + ".index", s.index);
    number(where + ".layer", s.layer);
    list(where + ".inputs", s.inputs, [&](auto at, Ref &r) { ref(at, r); });
    list(where + ".outputs", s.outputs, [&](auto at, Ref &r) { ref(at, r); });
  }
  void function(const std::string &where, Function &f) {
    text(where + ".name", f.name);
    list(where + ".inputs", f.inputs, [&](auto at, Value &v) { value(at, v); });
    list(where + ".outputs", f.outputs, [&](auto at, Value &v) { value(at, v); });
    list(where + ".steps", f.steps, [&](auto at, Step &s) { step(at, s); });
  }
  void kernel(const std::string &where, Kernel &k) {
    text(where + ".symbol", k.symbol);
    number(where + ".workerBytes", k.workerBytes);
    list(where + ".arguments", k.arguments, [&](auto at, KernelArgument &a) {
      choice(at + ".access", a.access, 2);
      number(at + ".alignment", a.alignment);
      type(at + ".type", a.type);
    });
  }
  void program(const std::string &where, AcceleratorProgram &p) {
    bytes(where + ".words", p.words);
    for (size_t i = 0; i < p.bases.size(); ++i) {
      const std::string base = where + ".bases[" + std::to_string(i) + "]";
      number(base + ".limit", p.bases[i].limit);
      add(base + ".readOnly", [&limit = p.bases[i]](Random &) { limit.readOnly = !limit.readOnly; });
    }
    list(where + ".layerOfInstruction", p.layerOfInstruction, [&](auto at, uint32_t &l) { number(at, l); });
  }
  void object(const std::string &where, ElfObject &o) {
    text(where + ".triple", o.triple);
    text(where + ".cpu", o.cpu);
    list(where + ".features", o.features, [&](auto at, std::string &feature) { text(at, feature); });
    list(where + ".entries", o.entries, [&](auto at, uint64_t &address) { number(at, address); });
    addElfFields(o.bytes, where + ".elf", fields);
  }
  /// Its code is a program that one trusts, like that of kernels on the CPU.
  void device(const std::string &where, Device &d) {
    text(where + ".name", d.name);
    number(where + ".memoryBytes", d.memoryBytes);
    list(where + ".kernels", d.kernels, [&](auto at, Kernel &k) { kernel(at, k); });
  }
  void layer(const std::string &where, Layer &l) {
    text(where + ".node", l.node);
    text(where + ".target", l.target);
    text(where + ".reason", l.reason);
    number(where + ".macs", l.macs);
  }
};

} // namespace

uint64_t otherNumber(uint64_t value, Random &random) {
  switch (random() % 8) {
  case 0:
    return value + 1;
  case 1:
    return value - 1;
  case 2:
    return ~uint64_t(0);
  case 3:
    return value ? 0 : 1;
  case 4:
    return value ^ uint64_t(1) << random() % 64;
  case 5:
    return value + (random() % 2 ? uint64_t(64) << random() % 12 : -(uint64_t(64) << random() % 12));
  case 6:
    return random() % 256;
  default:
    return value * 2;
  }
}

std::map<std::string, std::vector<Field>> fieldsOf(package::Package &package) {
  Walk walk;
  walk.package(package);
  return std::move(walk.fields);
}

std::string mutate(package::Package &package, Random &random) {
  std::map<std::string, std::vector<Field>> kinds = fieldsOf(package);
  auto kind = kinds.begin();
  std::advance(kind, random() % kinds.size());
  Field &field = kind->second[random() % kind->second.size()];
  field.change(random);
  return field.where;
}

} // namespace daedalus::mutants
