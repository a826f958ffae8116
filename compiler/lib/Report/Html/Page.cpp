// See Page.h.
#include "Report/Html/Page.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Compression.h"

#include <cassert>

namespace daedalus::report {

std::string escaped(const std::string &text) {
  std::string html;
  for (const char letter : text)
    if (letter == '&')
      html += "&amp;";
    else if (letter == '<')
      html += "&lt;";
    else
      html += letter;
  return html;
}

std::string itemsOf(const std::vector<std::string> &sentences) {
  std::string items;
  for (const std::string &sentence : sentences)
    items += "<li>" + escaped(sentence) + "</li>\n";
  return items;
}

std::string packed(const std::string &json) {
  llvm::SmallVector<uint8_t, 0> bytes; // as DecompressionStream("deflate") reads it
  llvm::compression::zlib::compress(llvm::arrayRefFromStringRef(json), bytes,
                                    llvm::compression::zlib::BestSizeCompression);
  return llvm::encodeBase64(bytes);
}

std::string packed(const Json &json) {
  return packed(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string filled(std::string_view page, const std::map<std::string, std::string, std::less<>> &marks) {
  constexpr std::string_view mark = "@@";
  std::string html;
  size_t at = 0;
  for (size_t open; (open = page.find(mark, at)) != page.npos;) {
    const size_t name = open + mark.size(), close = page.find(mark, name);
    html += page.substr(at, open - at);
    const auto value = marks.find(page.substr(name, close - name));
    assert(value != marks.end() && "the template has no other marks");
    html += value->second;
    at = close + mark.size();
  }
  return html += page.substr(at);
}

} // namespace daedalus::report
