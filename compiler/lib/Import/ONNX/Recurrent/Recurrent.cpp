// RNN, GRU and LSTM: one product of the whole sequence with W, then a loop over its steps, each a product of
// the state with R and what the gates make of the sums. A sequence that ends early keeps its state.

#include "Body/Indexed.h"
#include "Elementwise/Elementwise.h"
#include "OperatorTable.h"
#include "Recurrent/LayerRule.h"

#include "daedalus/Kernels/Products.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

enum Input { X, W, R, B, Lengths, InitialH, InitialC, Peepholes }; ///< by their place

/// One direction of a layer.
class Layer {
public:
  Layer(K &k, unsigned gates, unsigned direction)
      : k(k), direction(direction), isBatchFirst(k.integer("layout", 0) != 0), hidden(k.shape(R)[2]),
        batch(k.shape(X)[isBatchFirst ? 0 : 1]), length(k.shape(X)[isBatchFirst ? 1 : 0]),
        width(gates * hidden), clip(k.real("clip", 0)),
        isReverse(direction == 1 || textAttribute(k.node, "direction", "forward") == "reverse") {
    weights = part(R);
    if (k.has(B))
      biases = part(B);
    inputs = inputProducts();
  }
  virtual ~Layer() = default;

  /// The output of that index: all states [length,batch,hidden], or the last H or C [batch,hidden].
  Value output(unsigned index) {
    const Shape state{batch, hidden};
    SmallVector<Value> carried{initial(InitialH)};
    if (hasCell())
      carried.push_back(initial(InitialC));
    if (index == 0)
      carried.push_back(k.filled({length, batch, hidden}, 0, elementOf(inputs)));
    const SmallVector<Value> last = k.iterate(
        length, carried, [&](Value step, ValueRange tensors) { return stepped(step, tensors, index == 0); });
    return index == 0 ? last.back() : last[index - 1];
  }

protected:
  virtual bool hasCell() const { return false; }
  /// The state (and cell) after a step of `x` [batch,width] from the one before.
  virtual SmallVector<Value> next(Value x, ValueRange state) = 0;

  /// This direction's part of an input [directions,...].
  Value part(size_t input) {
    const Shape shape(k.shape(input).begin() + 1, k.shape(input).end());
    const int64_t size = product(shape);
    if (const HostTensor *host = k.constant(input)) {
      const auto begin = host->floats.begin() + direction * size;
      return k.Body::constant<float>(shape, std::vector<float>(begin, begin + size));
    }
    Shape starts(k.rank(input), 0), sizes = k.shape(input);
    starts[0] = direction, sizes[0] = 1;
    return k.reshape(k.slice(k.in(input), starts, sizes, Shape(sizes.size(), 1)), shape);
  }

  /// Of [batch,width], or of a vector of all gates' numbers, a gate's columns.
  Value gateOf(Value all, unsigned gate) const {
    const Sizes shape = shapeOf(all);
    Shape starts(shape.size(), 0), sizes(shape);
    starts.back() = gate * hidden, sizes.back() = hidden;
    return k.slice(all, starts, sizes, Shape(shape.size(), 1));
  }
  /// What a state's gate reads: of the step, of the product of the state with R and of its bias.
  void readGate(unsigned gate, Value x, Value h, SmallVectorImpl<Read> &reads,
                std::optional<unsigned> of = {}) const {
    reads.push_back(read(gateOf(x, gate)));
    reads.push_back(read(gateOf(h, of.value_or(gate))));
    if (biases)
      reads.push_back(read(gateOf(biases, gates() + gate)));
  }
  /// The sum of what readGate() read, as the first of `x`, which it takes away.
  Value gateSum(ValueRange &x) const {
    Value own = x[0], sum = k.add(own, recurrentSum(x));
    return clip > 0 ? k.clamp(sum, k.f32(-clip), k.f32(clip)) : sum;
  }
  /// The part of the state alone.
  Value recurrentSum(ValueRange &x) const {
    Value sum = biases ? k.add(x[1], x[2]) : Value(x[1]);
    x = x.drop_front(biases ? 3 : 2);
    return sum;
  }
  Value elementwise(const SmallVector<Read> &reads, Body::Combine combine) const {
    return k.elementwise({batch, hidden}, elementOf(inputs), reads, combine);
  }
  /// Of a state, or of a vector that is one for the whole batch.
  Read read(Value state) const { return k.broadcast(state, {batch, hidden}); }
  Value product2(Value state, Value matrix) const {
    return kernels::matrixProduct(k, state, matrix, false, true);
  }

  /// The activation at `place` of this direction's, `otherwise` where none are given.
  Value activation(unsigned place, StringRef otherwise, Value x) const {
    const auto *given = attribute(k.node, "activations");
    const unsigned count = hasCell() ? 3 : gates() == 1 ? 1 : 2;
    const std::string name = given ? given->strings(int(direction * count + place)) : otherwise.str();
    if (StringRef(name).equals_insensitive("sigmoid"))
      return sigmoidOf(k, x);
    if (StringRef(name).equals_insensitive("relu"))
      return k.max(x, k.f32(0));
    return k.b.create<math::TanhOp>(k.loc, x);
  }
  unsigned gates() const { return width / hidden; }

  K &k;
  const unsigned direction;
  const bool isBatchFirst;
  const int64_t hidden, batch, length, width;
  const float clip;
  const bool isReverse;
  Value weights, biases, inputs;

private:
  /// X by W, with the first half of the bias, [length,batch,width].
  Value inputProducts() {
    Value x = k.in(X);
    const int64_t size = k.shape(X)[2];
    if (isBatchFirst)
      x = k.transpose(x, {1, 0, 2});
    Value sum = product2(k.reshape(x, {length * batch, size}), part(W));
    if (biases)
      sum = k.elementwise({length * batch, width}, elementOf(sum),
                          {k.broadcast(sum, {length * batch, width}),
                           k.broadcast(k.slice(biases, 0, width, 1), {length * batch, width})},
                          [&](ValueRange x) { return k.add(x[0], x[1]); });
    return k.reshape(sum, {length, batch, width});
  }

  /// The state to begin with, [batch,hidden].
  Value initial(size_t input) {
    if (!k.has(input))
      return k.filled({batch, hidden}, 0, elementOf(inputs));
    if (!isBatchFirst)
      return part(input);
    return k.reshape(k.slice(k.in(input), {0, direction, 0}, {batch, 1, hidden}, {1, 1, 1}), {batch, hidden});
  }

  SmallVector<Value> stepped(Value step, ValueRange tensors, bool keepsAll) {
    Value at = isReverse ? k.sub(k.index(length - 1), step) : step;
    const size_t states = hasCell() ? 2 : 1;
    const SmallVector<OpFoldResult> offsets{at, k.b.getIndexAttr(0), k.b.getIndexAttr(0)},
        ones(3, k.b.getIndexAttr(1));
    const auto sizes = [&](int64_t last) {
      return getAsIndexOpFoldResult(k.b.getContext(), {1, batch, last});
    };
    Value x = k.b.create<tensor::ExtractSliceOp>(
        k.loc, RankedTensorType::get({batch, width}, elementOf(inputs)), inputs, offsets, sizes(width), ones);
    SmallVector<Value> result = next(x, tensors.take_front(states));
    Value shown = result[0];
    if (k.has(Lengths)) {
      for (size_t i = 0; i < states; ++i)
        result[i] = whileInside(at, result[i], read(tensors[i]));
      shown = whileInside(at, shown, k.read(0, elementOf(inputs)));
    }
    for (size_t i = 0; i < states; ++i) // the loop's own tensors hold the states
      result[i] = k.named<linalg::CopyOp>(result[i], tensors[i]);
    if (keepsAll)
      result.push_back(
          k.b.create<tensor::InsertSliceOp>(k.loc, shown, tensors.back(), offsets, sizes(hidden), ones));
    return result;
  }

  /// A state where the step is inside of its sequence, what `otherwise` reads where it is behind its end.
  Value whileInside(Value at, Value state, Read otherwise) const {
    return elementwise({read(state), otherwise, {k.in(Lengths), k.loops(2, 0)}}, [&](ValueRange x) {
      return k.select(k.compare(Compare::Less, at, k.toIndex(x[2])), x[0], x[1]);
    });
  }
};

class Rnn : public Layer {
public:
  Rnn(K &k, unsigned direction) : Layer(k, 1, direction) {}

private:
  SmallVector<Value> next(Value x, ValueRange state) override {
    SmallVector<Read> reads;
    readGate(0, x, product2(state[0], weights), reads);
    return {elementwise(reads, [&](ValueRange x) { return activation(0, "Tanh", gateSum(x)); })};
  }
};

/// Gates: update, reset, hidden.
class Gru : public Layer {
public:
  Gru(K &k, unsigned direction)
      : Layer(k, 3, direction), isLinear(k.integer("linear_before_reset", 0) != 0) {}

private:
  SmallVector<Value> next(Value x, ValueRange state) override {
    Value h = product2(state[0], weights);
    SmallVector<Read> reads{read(state[0])};
    readGate(0, x, h, reads);
    if (isLinear) {
      readGate(1, x, h, reads);
      readGate(2, x, h, reads);
    } else {
      readGate(2, x, resetProduct(x, h, state[0]), reads, 0);
    }
    return {elementwise(reads, [&](ValueRange x) {
      Value old = x[0];
      x = x.drop_front();
      Value update = activation(0, "Sigmoid", gateSum(x)), sum;
      if (isLinear) {
        Value reset = activation(0, "Sigmoid", gateSum(x)), own = x[0];
        sum = k.add(own, k.mul(reset, recurrentSum(x)));
        sum = clip > 0 ? k.clamp(sum, k.f32(-clip), k.f32(clip)) : sum;
      } else {
        sum = gateSum(x);
      }
      Value fresh = activation(1, "Tanh", sum);
      return k.add(k.mul(k.sub(k.f32(1), update), fresh), k.mul(update, old));
    })};
  }

  /// The state that is left by the reset gate, by the last third of R.
  Value resetProduct(Value x, Value h, Value state) {
    SmallVector<Read> reads{read(state)};
    readGate(1, x, h, reads);
    Value left = elementwise(reads, [&](ValueRange x) {
      Value old = x[0];
      x = x.drop_front();
      return k.mul(activation(0, "Sigmoid", gateSum(x)), old);
    });
    return product2(left, k.slice(weights, {2 * hidden, 0}, {hidden, hidden}, {1, 1}));
  }

  const bool isLinear;
};

/// Gates: input, output, forget, cell.
class Lstm : public Layer {
public:
  Lstm(K &k, unsigned direction) : Layer(k, 4, direction), isCoupled(k.integer("input_forget", 0) != 0) {
    if (k.has(Input::Peepholes))
      peepholes = part(Input::Peepholes);
  }

private:
  bool hasCell() const override { return true; }

  SmallVector<Value> next(Value x, ValueRange state) override {
    Value h = product2(state[0], weights);
    SmallVector<Read> ofCell{read(state[1])};
    for (unsigned gate : {0, 2, 3})
      readGate(gate, x, h, ofCell);
    if (peepholes)
      ofCell.append({read(gateOf(peepholes, 0)), read(gateOf(peepholes, 2))});
    Value cell = elementwise(ofCell, [&](ValueRange x) {
      Value old = x[0], toInput = x[x.size() - 2], toForget = x.back();
      x = x.drop_front();
      const auto gate = [&](Value peephole) {
        Value sum = gateSum(x);
        return activation(0, "Sigmoid", peepholes ? k.add(sum, k.mul(peephole, old)) : sum);
      };
      Value input = gate(toInput), forget = gate(toForget), fresh = activation(1, "Tanh", gateSum(x));
      forget = isCoupled ? k.sub(k.f32(1), input) : forget;
      return k.add(k.mul(forget, old), k.mul(input, fresh));
    });
    SmallVector<Read> ofState{read(cell)};
    readGate(1, x, h, ofState);
    if (peepholes)
      ofState.push_back(read(gateOf(peepholes, 1)));
    Value hidden = elementwise(ofState, [&](ValueRange x) {
      Value now = x[0], peephole = x.back();
      x = x.drop_front();
      Value sum = gateSum(x);
      sum = peepholes ? k.add(sum, k.mul(peephole, now)) : sum;
      return k.mul(activation(0, "Sigmoid", sum), activation(2, "Tanh", now));
    });
    return {hidden, cell};
  }

  const bool isCoupled;
  Value peepholes;
};

/// The outputs of all directions joined, in the output's layout.
template <class L> Value recurrent(K &k) {
  const unsigned directions = k.shape(W)[0];
  const bool isBatchFirst = k.integer("layout", 0) != 0, isState = k.outputIndex > 0;
  if (k.has(Lengths))
    requireRange(k, Lengths, 0, k.shape(0)[isBatchFirst] + 1);
  SmallVector<Value> parts;
  for (unsigned direction = 0; direction < directions; ++direction)
    parts.push_back(L(k, direction).output(k.outputIndex));
  const Shape part(shapeOf(parts[0]));
  Shape shape = part; // [length,directions,batch,hidden] or [directions,batch,hidden]
  shape.insert(shape.begin() + (isState ? 0 : 1), directions);
  Shape one = shape, at(shape.size(), 0);
  one[isState ? 0 : 1] = 1;
  Value joined = directions == 1 ? k.reshape(parts[0], one) : k.empty(shape, elementOf(parts[0]));
  for (unsigned direction = 0; directions > 1 && direction < directions; ++direction) {
    at[isState ? 0 : 1] = direction;
    joined = k.insertSlice(k.reshape(parts[direction], one), joined, at, Shape(one.size(), 1));
  }
  if (!isBatchFirst)
    return joined;
  return isState ? k.transpose(joined, {1, 0, 2}) : k.transpose(joined, {2, 0, 1, 3});
}

} // namespace

void addRecurrent(Operators &all) {
  all["GRU"] = {7, gru, recurrent<Gru>};
  all["LSTM"] = {7, lstm, recurrent<Lstm>};
  all["RNN"] = {7, rnn, recurrent<Rnn>};
}

} // namespace daedalus::onnximport
