// Identity and Dropout.

#include "Elementwise/Elementwise.h"
#include "OperatorTable.h"
#include "Shapes/Views.h"

using namespace mlir;

namespace daedalus::onnximport {
namespace {

bool dropout(C &c) {
  if (c.version < 7 && !c.integer("is_test", 0))
    return c.fail("trains (attribute 'is_test' has value 0); expected inference: export the model in "
                  "evaluation mode");
  for (size_t input : {1, 2})
    if (c.has(input) && !c.rankIs(input, 0))
      return false;
  return c.like(0) && c.output(1, c.shape(0));
}

Value identity(K &k) {
  return unary(k, [&](Value x) { return x; });
}

/// In training it is random.
Value dropout(K &k) {
  const HostTensor *training = k.constant(2);
  if (k.has(2) && !(training && training->ints[0] == 0))
    return k.refuse(
        "trains (input 'training_mode'); expected inference: export the model in evaluation mode");
  if (k.outputIndex == 1)
    return k.elementwiseOutput({}, [&](ValueRange) { return k.number(1, k.outputType()); });
  return identity(k);
}

/// In inference, where nobody reads the mask.
Covered importDropout(Importer &im, const Node &node) {
  const HostTensorPtr training = im.constantInput(node, 2);
  const bool isInference = !im.has(node, 2) || (training && training->ints[0] == 0);
  return isInference && node.proto.output_size() == 1 ? importReshape(im, node) : Covered(false);
}

} // namespace

Covered importIdentity(Importer &im, const Node &node) {
  const OnnxValue in = im.known(node, 0);
  if (!in.isConstant)
    return importReshape(im, node);
  const std::vector<Operand> operands = {{nullptr, {im.valueOf(node, 0), in.shape}, in.dtype, in.shape}};
  FailureOr<Value> copy = im.callOf(node, 0, operands, {{in.dtype, in.shape}});
  if (failed(copy))
    return failure();
  im.define(node, *copy);
  OnnxValue &out = im.output(node);
  out.dtype = in.dtype;
  out.copied = in.quantized ? nullptr : in.constant ? in.constant : in.copied;
  out.isConstant = true;
  return true;
}

void addIdentities(Operators &all) {
  all["Dropout"] = {1, dropout, dropout, importDropout, "a view", true};
  all["Identity"] = {1, sameShape, identity, importIdentity, "a view", true};
}

} // namespace daedalus::onnximport
