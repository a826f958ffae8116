// See Fingerprint.h. Every value gets a hash: of an argument its number, of a block its iterators, maps and
// expression over the hashes of what it reads, of other operations their name and operands. Operands that
// may be swapped are sorted by their hashes, so the order in which nodes were made does not count.

#include "daedalus/Analysis/Fingerprint.h"

#include "daedalus/Analysis/Block.h"
#include "daedalus/support/hash.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

namespace daedalus {
namespace {

/// A hash of numbers and texts in order.
class Hash {
public:
  Hash &add(uint64_t number) {
    uint8_t bytes[8];
    for (int k = 0; k < 8; ++k)
      bytes[k] = number >> (8 * k);
    value = fnv1a(Span<const uint8_t>(bytes), value);
    return *this;
  }
  Hash &add(llvm::StringRef text) {
    add(uint64_t(text.size()));
    value = fnv1a(text.str(), value);
    return *this;
  }
  template <class T> Hash &addAll(const T &numbers) {
    add(uint64_t(numbers.size()));
    for (auto number : numbers)
      add(uint64_t(number));
    return *this;
  }
  Hash &add(mlir::Type type) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return add(text);
  }

  uint64_t value = fnv1aStart;
};

bool commutes(ExprKind kind) {
  return kind == ExprKind::Sum || kind == ExprKind::Product || kind == ExprKind::Max ||
         kind == ExprKind::Min || kind == ExprKind::And || kind == ExprKind::Or || kind == ExprKind::Xor;
}

class Fingerprint {
public:
  explicit Fingerprint(mlir::func::FuncOp function) : function(function) {}

  uint64_t run() {
    mlir::Block &body = function.getBody().front();
    blocks = blocksOf(body);
    for (mlir::BlockArgument argument : body.getArguments())
      hashes[argument] = Hash().add("argument").add(argument.getArgNumber()).add(argument.getType()).value;
    Hash all;
    for (mlir::Value result : body.getTerminator()->getOperands())
      all.add(of(result)).add(result.getType());
    return all.value;
  }

private:
  /// Values in front of it have their hashes first: chains of operations are long.
  uint64_t of(mlir::Value value) {
    llvm::SmallVector<mlir::Value> open{value};
    while (!open.empty()) {
      const mlir::Value next = open.back();
      const size_t before = open.size();
      if (!hashes.count(next))
        for (mlir::Value source : sourcesOf(next))
          if (!hashes.count(source))
            open.push_back(source);
      if (open.size() > before)
        continue;
      open.pop_back();
      if (!hashes.count(next))
        hashes[next] = hashOf(next);
    }
    return hashes[value];
  }

  llvm::SmallVector<mlir::Value> sourcesOf(mlir::Value value) {
    llvm::SmallVector<mlir::Value> sources;
    const auto block = blocks.find(value);
    if (block != blocks.end())
      for (const Access &access : block->second.inputs)
        sources.push_back(access.tensor);
    else if (mlir::Operation *op = value.getDefiningOp())
      llvm::append_range(sources, op->getOperands());
    return sources;
  }

  uint64_t hashOf(mlir::Value value) {
    const auto block = blocks.find(value);
    if (block != blocks.end())
      return ofBlock(block->second);
    mlir::Operation *op = value.getDefiningOp();
    Hash hash;
    hash.add(value.getType());
    if (!op || mlir::matchPattern(op, mlir::m_Constant()))
      return hash.add("constant").value;
    hash.add(op->getName().getStringRef());
    for (mlir::Value operand : op->getOperands())
      hash.add(hashes[operand]);
    for (mlir::NamedAttribute attribute : op->getAttrs()) // static offsets, reassociations and the like
      if (auto numbers = mlir::dyn_cast<mlir::DenseI64ArrayAttr>(attribute.getValue()))
        hash.addAll(numbers.asArrayRef());
    return hash.value;
  }

  static void add(Hash &hash, const Access &access) {
    hash.addAll(access.shape);
    for (const Coordinate &coordinate : access.at)
      hash.addAll(coordinate.factors).add(uint64_t(coordinate.offset));
    hash.add(uint64_t(access.fill.has_value()));
  }

  uint64_t ofBlock(const Block &block) {
    Hash hash;
    hash.add("block");
    for (const Iterator &iterator : block.iterators)
      hash.add(uint64_t(iterator.isReduction)).add(uint64_t(iterator.extent));
    add(hash, block.output);
    hash.add(uint64_t(block.start.has_value()));
    std::vector<uint64_t> arguments;
    for (const Access &access : block.inputs) {
      Hash argument;
      argument.add("input").add(hashes[access.tensor]);
      add(argument, access);
      arguments.push_back(argument.value);
    }
    arguments.push_back(Hash().add("output").value);
    return hash.add(ofExpression(block, arguments)).value;
  }

  /// Operands of a node have lower numbers.
  static uint64_t ofExpression(const Block &block, const std::vector<uint64_t> &arguments) {
    std::vector<uint64_t> nodes;
    for (ExprId id = 0; id <= block.result; ++id) {
      const Expr &node = block.expressions[id];
      std::vector<uint64_t> operands;
      for (ExprId operand : node.operands)
        operands.push_back(nodes[operand]);
      if (commutes(node.kind))
        llvm::sort(operands);
      Hash hash;
      hash.add(uint64_t(node.kind)).add(uint64_t(node.bits)).addAll(operands);
      if (node.kind == ExprKind::Argument)
        hash.add(arguments[node.value]);
      else if (node.kind == ExprKind::Compare)
        hash.add(uint64_t(node.value));
      else if (node.kind == ExprKind::Other)
        hash.add(node.detail);
      nodes.push_back(hash.value);
    }
    return nodes.back();
  }

  mlir::func::FuncOp function;
  llvm::DenseMap<mlir::Value, Block> blocks;
  llvm::DenseMap<mlir::Value, uint64_t> hashes;
};

} // namespace

uint64_t fingerprintOf(mlir::func::FuncOp function) {
  return Fingerprint(function).run();
}

std::string hashText(uint64_t hash) {
  std::string digits = llvm::utohexstr(hash, /*LowerCase=*/true);
  return std::string(16 - digits.size(), '0') + digits;
}

} // namespace daedalus
