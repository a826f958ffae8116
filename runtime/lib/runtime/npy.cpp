// .npy files: magic, version, length of the header, a Python dictionary with exactly the keys descr,
// fortran_order and shape, and the raw elements. The dictionary is read by a small parser of the subset
// that NumPy writes.

#include "daedalus/runtime/npy.h"

#include "daedalus/support/file.h"
#include "daedalus/support/input_file.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

namespace daedalus::runtime {
namespace {

constexpr std::string_view magic("\x93NUMPY", 6);
constexpr uint64_t mostBytes = uint64_t(1) << 40;

struct Descr {
  const char *text;
  DType dtype;
};
/// NumPy has no bfloat16: what the package ml_dtypes saves is two bytes without a meaning.
constexpr Descr descrs[] = {
    {"|i1", DType::I8},  {"|u1", DType::U8},  {"|b1", DType::Bool}, {"<i2", DType::I16}, {"<i4", DType::I32},
    {"<i8", DType::I64}, {"<u2", DType::U16}, {"<u4", DType::U32},  {"<u8", DType::U64}, {"<f2", DType::F16},
    {"<f4", DType::F32}, {"<f8", DType::F64}, {"<V2", DType::BF16}, {"|V2", DType::BF16}};

struct Header {
  std::optional<std::string> descr;
  std::optional<bool> fortranOrder;
  std::optional<std::vector<int64_t>> shape;
};

/// Reads {'descr': '<i4', 'fortran_order': False, 'shape': (3, 4), } and sets what it finds; false where
/// the text is something else.
class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : text(text) {}

  bool parse(Header &header) {
    if (!take('{'))
      return false;
    while (!take('}')) {
      std::string key;
      if (!parseString(key) || !take(':') || !parseEntry(key, header))
        return false;
      if (!take(',') && peek() != '}')
        return false;
    }
    return peek() == '\0';
  }

private:
  char peek() {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\n'))
      text.remove_prefix(1);
    return text.empty() ? '\0' : text.front();
  }
  bool take(char c) {
    if (peek() != c)
      return false;
    text.remove_prefix(1);
    return true;
  }
  bool takeWord(std::string_view word) {
    peek();
    if (text.substr(0, word.size()) != word)
      return false;
    text.remove_prefix(word.size());
    return true;
  }
  bool parseString(std::string &out) {
    const char quote = peek();
    if ((quote != '\'' && quote != '"') || !take(quote))
      return false;
    size_t end = text.find(quote);
    if (end == std::string_view::npos)
      return false;
    out = text.substr(0, end);
    text.remove_prefix(end + 1);
    return true;
  }
  bool parseBool(std::optional<bool> &out) {
    if (takeWord("True"))
      out = true;
    else if (takeWord("False"))
      out = false;
    return out.has_value();
  }
  bool parseNumber(int64_t &out) {
    int64_t value = 0;
    int digits = 0;
    for (peek(); !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1)) {
      if (++digits > 18)
        return false;
      value = value * 10 + (text.front() - '0');
    }
    out = value;
    return digits > 0;
  }
  bool parseShape(std::optional<std::vector<int64_t>> &out) {
    out.emplace();
    if (!take('('))
      return false;
    while (!take(')')) {
      if (!parseNumber(out->emplace_back()))
        return false;
      if (!take(',') && peek() != ')')
        return false;
    }
    return true;
  }
  /// An array with named fields has a list as its descr: the text of that list.
  bool parseDescr(std::optional<std::string> &out) {
    if (peek() != '[')
      return parseString(out.emplace());
    size_t end = text.find(']');
    out = text.substr(0, end == std::string_view::npos ? text.size() : end + 1);
    text.remove_prefix(out->size());
    return true;
  }
  bool parseEntry(const std::string &key, Header &header) {
    if (key == "descr")
      return parseDescr(header.descr);
    if (key == "fortran_order")
      return parseBool(header.fortranOrder);
    return key == "shape" && parseShape(header.shape);
  }

  std::string_view text;
};

/// The header's text, and the elements behind it.
struct Parts {
  std::string_view header;
  Span<const uint8_t> data;
};

Result<Parts> split(Span<const uint8_t> bytes, const std::string &file) {
  std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  if (text.substr(0, magic.size()) != magic)
    return error(file + " is not a .npy file: expected it to start with \\x93NUMPY; save it with numpy.save");
  if (bytes.size() < 10)
    return error(file + " is truncated: it ends within its header");
  const int major = bytes[6], minor = bytes[7];
  if (major < 1 || major > 3 || minor != 0)
    return error(file + " has .npy version " + std::to_string(major) + "." + std::to_string(minor) +
                 ", expected 1.0, 2.0 or 3.0");
  const size_t lengthBytes = major == 1 ? 2 : 4, start = 8 + lengthBytes;
  uint64_t length = 0;
  for (size_t i = 0; i < lengthBytes && 8 + i < bytes.size(); ++i)
    length |= static_cast<uint64_t>(bytes[8 + i]) << (8 * i);
  if (bytes.size() < start || bytes.size() - start < length)
    return error(file + " is truncated: it ends within its header");
  return Parts{text.substr(start, length), bytes.subspan(start + length)};
}

Result<DType> dtypeOf(const std::string &descr, const std::string &file) {
  for (const Descr &known : descrs)
    if (descr == known.text ||
        (known.text[0] == '|' && descr.size() == 3 && !descr.compare(1, 2, known.text + 1)))
      return known.dtype;
  if (descr.size() > 1 && descr[0] == '>')
    return error(file + " is big endian (dtype '" + descr +
                 "'), expected little endian; save a.astype(a.dtype."
                 "newbyteorder('<'))");
  return error(file + " has the dtype '" + descr +
               "', expected integers of 8 to 64 bits, float16, bfloat16, float32, float64 or bool; convert "
               "it with astype");
}

Result<TensorType> typeOf(const Header &header, const std::string &file) {
  if (*header.fortranOrder && header.shape->size() > 1)
    return error(file + " is in Fortran order, expected C order; save numpy.ascontiguousarray(a)");
  auto dtype = dtypeOf(*header.descr, file);
  if (!dtype)
    return error(dtype.error());
  TensorType type{*dtype, *header.shape};
  uint64_t bytes = byteSize(*dtype);
  for (int64_t size : type.shape) {
    if (size && bytes > mostBytes / static_cast<uint64_t>(size))
      return error(file + " has the shape " + toString(type) + ", which is more than can be addressed");
    bytes *= static_cast<uint64_t>(size);
  }
  return type;
}

} // namespace

Result<Tensor> parseNpy(Span<const uint8_t> bytes, const std::string &sourceName) {
  const std::string file = "'" + sourceName + "'";
  auto parts = split(bytes, file);
  if (!parts)
    return error(parts.error());
  Header header;
  if (!HeaderParser(parts->header).parse(header) || !header.descr || !header.fortranOrder || !header.shape)
    return error(file + " has a damaged .npy header: expected descr, fortran_order and shape");
  auto type = typeOf(header, file);
  if (!type)
    return error(type.error());
  const uint64_t expected = byteSize(*type), found = parts->data.size();
  if (found != expected)
    return error(file + (found < expected ? " is truncated: " : " is too long: ") + toString(*type) +
                 " needs " + std::to_string(expected) + " bytes of data, found " + std::to_string(found));
  return Tensor{"", *type, {parts->data.begin(), parts->data.end()}};
}

Result<Tensor> readNpy(const std::string &path) {
  auto bytes = readFile(path, input::Array);
  if (!bytes)
    return error(bytes.error());
  return parseNpy(*bytes, path);
}

std::vector<uint8_t> formatNpy(const Tensor &tensor) {
  const auto *descr = std::find_if(std::begin(descrs), std::end(descrs),
                                   [&](const Descr &known) { return known.dtype == tensor.type.dtype; });
  std::string header = std::string("{'descr': '") + descr->text + "', 'fortran_order': False, 'shape': (";
  for (size_t i = 0; i < tensor.type.shape.size(); ++i)
    header += (i ? ", " : "") + std::to_string(tensor.type.shape[i]);
  header += tensor.type.shape.size() == 1 ? ",), }" : "), }";
  header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 10 - 1, ' '); // the data start at a multiple of 64
  header += '\n';
  std::vector<uint8_t> bytes(magic.begin(), magic.end());
  for (size_t byte : {size_t(1), size_t(0), header.size() & 0xff, header.size() >> 8})
    bytes.push_back(static_cast<uint8_t>(byte));
  bytes.insert(bytes.end(), header.begin(), header.end());
  bytes.insert(bytes.end(), tensor.data.begin(), tensor.data.end());
  return bytes;
}

Result<void> writeNpy(const std::string &path, const Tensor &tensor) {
  return writeFileAtomically(path, formatNpy(tensor));
}

} // namespace daedalus::runtime
