// See Tables.h. The search goes back from the result to the quantized tensors that it is made of. While there
// are several, the last of them is taken apart in its turn, so x * sigmoid(x) ends at x, whatever is
// quantized between. A single one is taken apart further where nothing else reads it.

#include "Tables.h"

#include "Functions.h"

#include "daedalus/Dialect/Qnn/IR/Qnn.h"

#include "mlir/Dialect/Quant/QuantOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>

namespace daedalus::qnn {
namespace {

using namespace mlir;
using Values = std::vector<double>;

constexpr size_t mostOperations = 64;

bool isScalar(Value value) {
  return isRealConstant(value) && tensorType(value).getNumElements() == 1;
}

/// Whether an operation of real numbers works element by element on operands of the result's type, and on
/// constants of one number.
bool isElementwise(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto callee = calleeOf(call);
    return callee && isFunctionOfElements(callee);
  }
  return isa<tosa::ClampOp>(op) ||
         (isa<AddOp, SubOp, MulOp>(op) && llvm::all_of(op->getOperands(), [&](Value x) {
            return isScalar(x) || x.getType() == op->getResult(0).getType();
          }));
}

/// Whether an operation of quantized tensors gives each element by that of its first operand.
bool isOfBytes(Operation *op) {
  return isa<tosa::TableOp, tosa::CastOp, tosa::ClampOp>(op) &&
         isByte(tensorType(op->getOperand(0)).getElementType());
}

/// What a tensor of f32 is made of.
struct Search {
  llvm::SetVector<Operation *> taken; // with the casts between them
  llvm::SetVector<Value> sources;     // quantized tensors that are left
  bool hasFunction = false;

  /// Goes back to the quantized tensors that `real` is made of; false where it is made of others.
  bool goBack(Value real) {
    Operation *op = real.getDefiningOp();
    if (!op || taken.contains(op))
      return op;
    if (taken.size() == mostOperations)
      return false;
    if (Value quantized = dequantizedActivation(real)) {
      taken.insert(op);
      sources.insert(quantized);
      return true;
    }
    if (!isElementwise(op))
      return false;
    taken.insert(op);
    hasFunction |= !isa<tosa::ClampOp>(op);
    return llvm::all_of(op->getOperands(), [&](Value x) { return isScalar(x) || goBack(x); });
  }

  /// Takes a source apart.
  bool takeApart(Value source) {
    Operation *op = source.getDefiningOp();
    if (!op || !isByte(tensorType(source).getElementType()))
      return false;
    sources.remove(source);
    auto quantization = dyn_cast<quant::QuantizeCastOp>(op);
    if (quantization ? !goBack(quantization.getArg()) : !isOfBytes(op))
      return false;
    taken.insert(op);
    hasFunction |= isa<tosa::TableOp>(op);
    if (!quantization)
      sources.insert(op->getOperand(0));
    return true;
  }

  /// Until one source is left.
  bool reduce() {
    while (sources.size() > 1) {
      Value last = *llvm::max_element(sources, [](Value a, Value b) {
        Operation *one = a.getDefiningOp(), *other = b.getDefiningOp();
        return other && (!one || one->isBeforeInBlock(other));
      });
      if (!takeApart(last))
        return false;
    }
    return sources.size() == 1;
  }

  /// Whether nothing else reads the source.
  bool isSoleReader() const {
    const auto isTaken = [&](Operation *user) { return taken.contains(user); };
    return llvm::all_of(sources[0].getUsers(), [&](Operation *cast) {
      return isTaken(cast) &&
             (!isa<quant::DequantizeCastOp>(cast) || llvm::all_of(cast->getUsers(), isTaken));
    });
  }
};

/// The search that ends farthest back; nothing where there is none, or what it found only clamps.
std::optional<Search> searchFrom(Value real) {
  Search search;
  if (!search.goBack(real) || !search.reduce())
    return std::nullopt;
  for (Search farther = search; farther.isSoleReader();) {
    Search before = farther;
    farther.hasFunction = false;
    if (!farther.takeApart(farther.sources[0]) || !farther.reduce())
      break;
    if (farther.hasFunction)
      search = farther;
    farther.hasFunction |= before.hasFunction;
  }
  return search;
}

/// The numbers that the values of a search take for each byte of the source: real, or the bytes themselves.
class Numbers {
public:
  explicit Numbers(Value source) {
    for (int q = -128; q < 128; ++q)
      known[source].push_back(q);
  }

  const Values &of(Value value) const { return known.find(value)->second; }

  void compute(Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<quant::DequantizeCastOp>([&](auto op) {
          const auto type = typeOf(op.getArg());
          map(op, [&](double q) {
            return static_cast<float>(type.getScale()) * (q - static_cast<double>(type.getZeroPoint()));
          });
        })
        .Case<quant::QuantizeCastOp>([&](auto op) {
          map(op, [&](double x) { return quantizeValue(static_cast<float>(x), typeOf(op)); });
        })
        .Case<tosa::CastOp>([&](auto op) { rescale(op); })
        .Case<tosa::TableOp>([&](auto op) {
          const DenseElementsAttr entries = constantOf(op->getOperand(1));
          map(op, [&](double q) { return entries.getValues<int8_t>()[static_cast<size_t>(q + 128)]; });
        })
        .Case<tosa::ClampOp>([&](auto op) { clamp(op); })
        .Case<func::CallOp>([&](auto op) {
          known[op.getResult(0)] = evaluate(
              calleeOf(op),
              llvm::to_vector(llvm::map_range(op.getOperands(), [&](Value x) { return operand(x); })));
        })
        .Default([&](Operation *op) { combine(op); });
  }

private:
  static UniformType typeOf(Value quantized) {
    return cast<UniformType>(tensorType(quantized).getElementType());
  }

  void map(Operation *op, llvm::function_ref<double(double)> function) {
    Values result;
    for (double x : of(op->getOperand(0)))
      result.push_back(function(x));
    known[op->getResult(0)] = std::move(result);
  }

  /// The nearest byte of the other scale, as a requantization gives it.
  void rescale(tosa::CastOp op) {
    const UniformType from = typeOf(op.getInput()), to = typeOf(op);
    map(op, [&](double q) {
      const double x = (q - static_cast<double>(from.getZeroPoint())) * from.getScale() / to.getScale();
      return std::clamp<double>(std::nearbyint(x) + static_cast<double>(to.getZeroPoint()), -128, 127);
    });
  }

  void clamp(tosa::ClampOp op) {
    const bool isReal = elementOf(op).isF32();
    const double lo = isReal ? op.getMinFp().convertToFloat()
                             : static_cast<double>(static_cast<int64_t>(op.getMinInt())),
                 hi = isReal ? op.getMaxFp().convertToFloat()
                             : static_cast<double>(static_cast<int64_t>(op.getMaxInt()));
    map(op, [&](double x) { return std::min(std::max(x, lo), hi); });
  }

  /// A sum, difference or product.
  void combine(Operation *op) {
    Values a = operand(op->getOperand(0)), b = operand(op->getOperand(1));
    for (size_t i = 0; i < a.size(); ++i)
      a[i] = isa<AddOp>(op) ? a[i] + b[i] : isa<MulOp>(op) ? a[i] * b[i] : a[i] - b[i];
    known[op->getResult(0)] = std::move(a);
  }

  Values operand(Value x) const { return isScalar(x) ? Values(tableEntries, (*realNumbers(x))[0]) : of(x); }

  llvm::DenseMap<Value, Values> known;
};

} // namespace

bool Table::isOf(Value real) {
  if (real.getDefiningOp<quant::DequantizeCastOp>())
    return false; // from one scale to another is not a function
  const std::optional<Search> search = searchFrom(real);
  return search && search->hasFunction && !shapeOf(search->sources[0]).empty();
}

Table Table::of(Value real) {
  const Search search = *searchFrom(real);
  Table table;
  table.source = search.sources[0];
  SmallVector<Operation *> taken(search.taken.begin(), search.taken.end());
  llvm::sort(taken, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  Numbers numbers(table.source);
  for (Operation *op : taken) {
    numbers.compute(op);
    const bool isCast = isa<quant::QuantizeCastOp, quant::DequantizeCastOp>(op);
    (isCast ? table.casts : table.nodes).push_back(op->getLoc());
  }
  table.values = numbers.of(real);
  return table;
}

} // namespace daedalus::qnn
