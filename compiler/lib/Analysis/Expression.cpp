// The arena of expressions: nodes that are there once, their texts, copies and values.

#include "daedalus/Analysis/Expression.h"

#include "daedalus/isa/semantics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace daedalus {

int64_t leastOf(unsigned bits) {
  return static_cast<int64_t>(~uint64_t(0) << (bits - 1));
}

int64_t greatestOf(unsigned bits) {
  return ~leastOf(bits);
}

int64_t wrapped(int64_t value, unsigned bits) {
  const unsigned unused = 64 - bits;
  return static_cast<int64_t>(static_cast<uint64_t>(value) << unused) >> unused;
}

ExprId Expressions::intern(Expr node) {
  std::string key;
  llvm::raw_string_ostream stream(key);
  stream << int(node.kind) << ' ' << node.bits << ' ' << node.value;
  if (node.kind == ExprKind::Requant)
    stream << ' ' << node.requant.zeroPoint << ' ' << node.requant.lo << ' ' << node.requant.hi << ' '
           << node.requant.rounding;
  for (ExprId operand : node.operands)
    stream << ' ' << operand;
  for (int64_t coefficient : node.coefficients)
    stream << " *" << coefficient;
  stream << ' ' << node.detail;
  const auto [found, isNew] = known.try_emplace(key, nodes.size());
  if (isNew)
    nodes.push_back(std::move(node));
  return found->second;
}

ExprId Expressions::argument(unsigned number, unsigned bits, llvm::StringRef type) {
  Expr node{ExprKind::Argument, bits, number, {}, {}, type.str(), {}};
  if (bits)
    node.low = leastOf(bits), node.high = greatestOf(bits);
  return intern(std::move(node));
}

ExprId Expressions::constant(int64_t value, unsigned bits) {
  value = wrapped(value, bits);
  return intern({ExprKind::Constant, bits, value, {}, {}, {}, {}, value, value});
}

ExprId Expressions::lookup(const std::vector<int64_t> &values, unsigned bits, ExprId index) {
  size_t number = llvm::find(tables, values) - tables.begin();
  if (number == tables.size())
    tables.push_back(values);
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  return intern({ExprKind::Table, bits, int64_t(number), {}, {index}, {}, {}, *least, *greatest});
}

ExprId Expressions::requant(llvm::ArrayRef<ExprId> operands, const RequantFields &fields) {
  return intern({ExprKind::Requant, 8, 0, {}, operands.vec(), {}, fields, leastOf(8), greatestOf(8)});
}

ExprId Expressions::other(llvm::StringRef detail, unsigned bits, llvm::ArrayRef<ExprId> operands) {
  Expr node{ExprKind::Other, bits, 0, {}, operands.vec(), detail.str(), {}};
  if (bits)
    node.low = leastOf(bits), node.high = greatestOf(bits);
  return intern(std::move(node));
}

bool Expressions::fitsWithin(ExprId id, unsigned bits) const {
  return nodes[id].low >= leastOf(bits) && nodes[id].high <= greatestOf(bits);
}

int64_t Terms::take(ExprId term) {
  const auto found = factors.find(term);
  if (found == factors.end())
    return 0;
  const int64_t factor = found->second;
  factors.erase(found);
  return factor;
}

Terms Expressions::termsOf(ExprId id) const {
  const Expr &node = nodes[id];
  Terms terms;
  if (node.kind == ExprKind::Constant || node.kind == ExprKind::Sum)
    terms.constant = node.value;
  else
    terms.factors[id] = 1;
  for (auto [term, factor] : llvm::zip(node.operands, node.coefficients)) // of a sum alone
    terms.factors[term] = factor;
  return terms;
}

std::vector<bool> Expressions::reachedFrom(ExprId root) const {
  std::vector<bool> reached(root + 1, false);
  reached[root] = true;
  for (ExprId id = root + 1; id-- > 0;) // operands have smaller numbers than their users
    if (reached[id])
      for (ExprId operand : nodes[id].operands)
        reached[operand] = true;
  return reached;
}

std::vector<ExprId> Expressions::nodesOf(ExprId root) const {
  const std::vector<bool> reached = reachedFrom(root);
  std::vector<ExprId> nodes;
  for (ExprId id = 0; id <= root; ++id)
    if (reached[id])
      nodes.push_back(id);
  return nodes;
}

ExprId Expressions::keepOnly(ExprId root) {
  const std::vector<ExprId> needed = nodesOf(root);
  std::vector<ExprId> numbers(root + 1, 0);
  std::vector<Expr> kept;
  kept.reserve(needed.size());
  for (ExprId id : needed) {
    numbers[id] = kept.size();
    kept.push_back(std::move(nodes[id]));
    for (ExprId &operand : kept.back().operands)
      operand = numbers[operand];
  }
  nodes = std::move(kept);
  known.clear();
  return numbers[root];
}

std::map<unsigned, Expr> Expressions::argumentsOf(ExprId root) const {
  std::map<unsigned, Expr> arguments;
  const std::vector<bool> reached = reachedFrom(root);
  for (ExprId id = 0; id <= root; ++id)
    if (reached[id] && nodes[id].kind == ExprKind::Argument)
      arguments.emplace(nodes[id].value, nodes[id]);
  return arguments;
}

ExprId Expressions::substitute(const Expressions &from, ExprId root, llvm::ArrayRef<ExprId> arguments,
                               const RequantFields *requantFields) {
  const std::vector<bool> reached = from.reachedFrom(root);
  std::vector<ExprId> copies(root + 1, 0);
  for (ExprId id = 0; id <= root; ++id) {
    if (!reached[id])
      continue;
    const Expr &node = from[id];
    const auto operand = [&](size_t k) { return copies[node.operands[k]]; };
    ExprId &copy = copies[id];
    switch (node.kind) {
    case ExprKind::Argument:
      copy = arguments[node.value];
      break;
    case ExprKind::Constant:
      copy = constant(node.value, node.bits);
      break;
    case ExprKind::Sum:
    case ExprKind::Product:
    case ExprKind::Max:
    case ExprKind::Min:
    case ExprKind::Clamp:
    case ExprKind::Select:
      copy = recombined(node, node.bits, operand);
      break;
    case ExprKind::Extend:
      copy = extend(operand(0), node.bits);
      break;
    case ExprKind::ExtendZero:
      copy = extendZero(operand(0), node.bits);
      break;
    case ExprKind::Truncate:
      copy = truncate(operand(0), node.bits);
      break;
    case ExprKind::Compare:
      copy = compare(node.value, operand(0), operand(1));
      break;
    case ExprKind::ShiftLeft:
    case ExprKind::ShiftRight:
    case ExprKind::ShiftRightZero:
      copy = shift(node.kind, operand(0), operand(1));
      break;
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::Xor:
      copy = logic(node.kind, operand(0), operand(1));
      break;
    case ExprKind::Table:
      copy = lookup(from.table(node.value), node.bits, operand(0));
      break;
    case ExprKind::Requant:
      copy = requant({operand(0), operand(1), operand(2), operand(3)},
                     requantFields ? *requantFields : node.requant);
      break;
    case ExprKind::Other: {
      std::vector<ExprId> operands;
      for (size_t k = 0; k < node.operands.size(); ++k)
        operands.push_back(operand(k));
      copy = other(node.detail, node.bits, operands);
    }
    }
  }
  return copies[root];
}

namespace {

const char *nameOf(ExprKind kind) {
  switch (kind) {
  case ExprKind::Argument:
  case ExprKind::Constant:
  case ExprKind::Sum:
  case ExprKind::Product:
  case ExprKind::Other:
    return "";
  case ExprKind::Extend:
    return "ext";
  case ExprKind::ExtendZero:
    return "extui";
  case ExprKind::Truncate:
    return "trunc";
  case ExprKind::Max:
    return "max";
  case ExprKind::Min:
    return "min";
  case ExprKind::Clamp:
    return "clamp";
  case ExprKind::Compare:
    return "compare";
  case ExprKind::Select:
    return "select";
  case ExprKind::ShiftLeft:
    return "shl";
  case ExprKind::ShiftRight:
    return "shrs";
  case ExprKind::ShiftRightZero:
    return "shru";
  case ExprKind::And:
    return "and";
  case ExprKind::Or:
    return "or";
  case ExprKind::Xor:
    return "xor";
  case ExprKind::Table:
    return "table";
  case ExprKind::Requant:
    return "requant";
  }
  return "";
}

bool isConversion(ExprKind kind) {
  return kind == ExprKind::Extend || kind == ExprKind::ExtendZero || kind == ExprKind::Truncate;
}

} // namespace

std::string Expressions::text(ExprId root, unsigned depth) const {
  const Expr &node = nodes[root];
  if (depth == 0)
    return "...";
  if (node.kind == ExprKind::Argument)
    return "a" + std::to_string(node.value);
  if (node.kind == ExprKind::Constant)
    return std::to_string(node.value);
  std::string text;
  if (node.kind == ExprKind::Sum) {
    for (size_t k = 0; k < node.operands.size(); ++k) {
      const int64_t factor = node.coefficients[k];
      text += text.empty() ? (factor == -1 ? "-" : "") : factor < 0 ? " - " : " + ";
      if (factor != 1 && factor != -1)
        text += std::to_string(text.size() > 1 && factor < 0 ? -factor : factor) + "*";
      text += this->text(node.operands[k], depth - 1);
    }
    return node.value ? text + (node.value < 0 ? " - " : " + ") +
                            std::to_string(node.value < 0 ? -uint64_t(node.value) : uint64_t(node.value))
                      : text;
  }
  if (node.kind == ExprKind::Product) {
    for (ExprId factor : node.operands)
      text += (text.empty() ? "" : "*") + this->text(factor, depth - 1);
    return text;
  }
  text = node.kind == ExprKind::Other ? node.detail : nameOf(node.kind);
  if (isConversion(node.kind))
    text += std::to_string(node.bits);
  if (node.kind == ExprKind::Compare)
    text = mlir::arith::stringifyCmpIPredicate(static_cast<mlir::arith::CmpIPredicate>(node.value)).str();
  text += "(";
  for (ExprId operand : node.operands)
    text += (text.back() == '(' ? "" : ", ") + this->text(operand, depth - 1);
  return text + ")";
}

namespace {

/// As an unsigned integer.
uint64_t low(int64_t value, unsigned bits) {
  return bits == 64 ? uint64_t(value) : uint64_t(value) & ((uint64_t(1) << bits) - 1);
}

std::optional<int64_t> shifted(const Expr &node, int64_t x, int64_t by) {
  if (by < 0 || by >= int64_t(node.bits)) // what MLIR calls poison
    return std::nullopt;
  if (node.kind == ExprKind::ShiftLeft)
    return wrapped(static_cast<int64_t>(uint64_t(x) << by), node.bits);
  return node.kind == ExprKind::ShiftRight ? x >> by : wrapped(low(x, node.bits) >> by, node.bits);
}

std::optional<int64_t> requantized(const Expr &node, llvm::ArrayRef<int64_t> operands) {
  if (operands[2] < 0 || operands[3] < 1 || operands[3] > 62)
    return std::nullopt;
  const RequantFields &fields = node.requant;
  return isa::requantize(operands[0], operands[1], operands[2], operands[3], fields.zeroPoint, fields.lo,
                         fields.hi, static_cast<isa::Rounding>(fields.rounding));
}

/// The value of a node of these operands; nothing for Other.
std::optional<int64_t> valueOf(const Expressions &all, const Expr &node, llvm::ArrayRef<int64_t> x) {
  uint64_t total = node.value;
  switch (node.kind) {
  case ExprKind::Argument:
  case ExprKind::Other:
    return std::nullopt;
  case ExprKind::Constant:
    return node.value;
  case ExprKind::Sum:
    for (size_t k = 0; k < x.size(); ++k)
      total += uint64_t(node.coefficients[k]) * uint64_t(x[k]);
    return wrapped(total, node.bits);
  case ExprKind::Product:
    total = 1;
    for (int64_t factor : x)
      total *= uint64_t(factor);
    return wrapped(total, node.bits);
  case ExprKind::Extend:
    return x[0];
  case ExprKind::ExtendZero:
    return low(x[0], all[node.operands[0]].bits);
  case ExprKind::Truncate:
    return wrapped(x[0], node.bits);
  case ExprKind::Max:
    return *llvm::max_element(x);
  case ExprKind::Min:
    return *llvm::min_element(x);
  case ExprKind::Clamp:
    return std::min(std::max(x[0], x[1]), x[2]);
  case ExprKind::Compare:
    return mlir::arith::applyCmpPredicate(static_cast<mlir::arith::CmpIPredicate>(node.value),
                                          llvm::APInt(64, x[0], true), llvm::APInt(64, x[1], true))
               ? -1
               : 0;
  case ExprKind::Select:
    return x[0] ? x[1] : x[2];
  case ExprKind::ShiftLeft:
  case ExprKind::ShiftRight:
  case ExprKind::ShiftRightZero:
    return shifted(node, x[0], x[1]);
  case ExprKind::And:
    return x[0] & x[1];
  case ExprKind::Or:
    return x[0] | x[1];
  case ExprKind::Xor:
    return x[0] ^ x[1];
  case ExprKind::Table: {
    const std::vector<int64_t> &table = all.table(node.value);
    return x[0] >= 0 && x[0] < int64_t(table.size()) ? std::optional(table[x[0]]) : std::nullopt;
  }
  case ExprKind::Requant:
    return requantized(node, x);
  }
  return std::nullopt;
}

} // namespace

/// Values of all nodes up to `root`, of node `given` this one.
std::vector<std::optional<int64_t>> Expressions::valuesUpTo(ExprId root, llvm::ArrayRef<int64_t> arguments,
                                                            ExprId given, int64_t value) const {
  std::vector<std::optional<int64_t>> values;
  for (ExprId id = 0; id <= root; ++id) {
    const Expr &node = nodes[id];
    llvm::SmallVector<int64_t, 4> operands;
    for (ExprId operand : node.operands)
      if (values[operand])
        operands.push_back(*values[operand]);
    if (id == given)
      values.push_back(value);
    else if (node.kind == ExprKind::Argument && node.bits && size_t(node.value) < arguments.size())
      values.push_back(wrapped(arguments[node.value], node.bits));
    else if (operands.size() == node.operands.size())
      values.push_back(valueOf(*this, node, operands));
    else
      values.push_back(std::nullopt);
  }
  return values;
}

std::optional<int64_t> Expressions::evaluate(ExprId root, llvm::ArrayRef<int64_t> arguments) const {
  return valuesUpTo(root, arguments, UINT32_MAX, 0)[root];
}

std::vector<ExprId> Expressions::int8Of(ExprId root) const {
  const auto isLeaf = [&](ExprId id) {
    return nodes[id].kind == ExprKind::Argument || nodes[id].kind == ExprKind::Other;
  };
  std::vector<bool> varies(root + 1), isOpen(root + 1);
  for (ExprId id = 0; id <= root; ++id)
    varies[id] =
        isLeaf(id) || llvm::any_of(nodes[id].operands, [&](ExprId operand) { return varies[operand]; });
  std::vector<ExprId> found;
  // Users come before their operands: where one node is open, all that decides the root goes through it.
  size_t open = isOpen[root] = varies[root];
  for (ExprId id = root + 1; id-- > 0;) {
    if (!isOpen[id])
      continue;
    const bool isInt8 = nodes[id].bits == 8 || (nodes[id].bits == 32 && fitsWithin(id, 8));
    if (id != root && open == 1 && isInt8)
      found.push_back(id);
    if (isLeaf(id))
      break;
    --open;
    for (ExprId operand : nodes[id].operands)
      if (varies[operand] && !isOpen[operand])
        isOpen[operand] = true, ++open;
  }
  return found;
}

std::optional<std::vector<int64_t>> Expressions::functionOf(ExprId root, ExprId node) const {
  std::vector<int64_t> function;
  for (int64_t x = -128; x < 128; ++x) {
    const std::optional<int64_t> value = valuesUpTo(root, {}, node, x)[root];
    if (!value)
      return std::nullopt;
    function.push_back(*value);
  }
  return function;
}

} // namespace daedalus
