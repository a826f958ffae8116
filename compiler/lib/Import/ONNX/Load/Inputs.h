// The sizes of a model's inputs, and those that are constants by the user's word.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_LOAD_INPUTS_H
#define DAEDALUS_LIB_IMPORT_ONNX_LOAD_INPUTS_H

#include "daedalus/Import/ONNX/GivenInputs.h"
#include "daedalus/support/result.h"

#include <onnx/onnx_pb.h>

namespace daedalus::onnximport {

/// Every input that is not constant gets the sizes that are given; a first dimension without a size becomes
/// 1, where its symbol stands in no other dimension of the inputs. A symbol that has got a size has it
/// everywhere in the graph. An input whose number is given gets an initializer. The sentence goes on behind
/// the model's name.
Result<void> fixInputs(onnx::ModelProto &model, const GivenInputs &given);

/// Refuses inputs that are no tensors, and no constants. The sentence goes on behind the model's name.
Result<void> checkTensors(const onnx::GraphProto &graph);

/// The initializer of this name whose elements are all the number that the text says. The sentence goes on
/// behind the input's name.
Result<onnx::TensorProto> constantOf(const onnx::ValueInfoProto &input, const std::string &number);

} // namespace daedalus::onnximport

#endif
