// See Schemas.h. What changed is in ONNX's docs/Changelog.md, versions 18 to 28. Types that no tensor here
// can have (float8, float4, int4 and the like) are left out.

#include "Schema/Schemas.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace daedalus::onnximport {
namespace {

using onnx::OpSchema;
using Kind = onnx::AttributeProto;

class Newer {
public:
  explicit Newer(NewerSchemas &all) : all(all) {}

  /// A schema without inputs, or the operator as it was, at a newer opset.
  OpSchema fresh(const std::string &name, int version) {
    OpSchema schema;
    schema.SetName(name).SetDomain("").SinceVersion(version);
    return schema;
  }
  OpSchema asBefore(const std::string &name, int version) {
    OpSchema schema = latest(name);
    schema.SinceVersion(version);
    return schema;
  }

  /// As before with more types: in the constraint of that name, or in all that allow float32.
  OpSchema widened(const std::string &name, int version, const std::vector<std::string> &more,
                   const std::string &constraint = "") {
    const OpSchema &before = latest(name);
    OpSchema schema = fresh(name, version);
    for (const auto &[key, attribute] : before.attributes())
      schema.Attr(attribute);
    int at = 0;
    for (const auto &input : before.inputs())
      schema.Input(at++, input.GetName(), "", input.GetTypeStr(), input.GetOption(), input.GetIsHomogeneous(),
                   input.GetMinArity());
    at = 0;
    for (const auto &output : before.outputs())
      schema.Output(at++, output.GetName(), "", output.GetTypeStr(), output.GetOption(),
                    output.GetIsHomogeneous(), output.GetMinArity());
    for (const auto &param : before.typeConstraintParams()) {
      std::vector<std::string> types = param.allowed_type_strs;
      if (constraint.empty() ? llvm::is_contained(types, "tensor(float)")
                             : param.type_param_str == constraint)
        types.insert(types.end(), more.begin(), more.end());
      schema.TypeConstraint(param.type_param_str, std::move(types), "");
    }
    return schema;
  }

  /// The types of the operator's first input, and others.
  std::vector<std::string> types(const std::string &name, std::initializer_list<const char *> more = {}) {
    std::vector<std::string> result;
    for (const std::string *type : latest(name).inputs()[0].GetTypes())
      result.push_back(*type);
    result.insert(result.end(), more.begin(), more.end());
    return result;
  }

  /// A fresh one.
  void addFresh(OpSchema schema) {
    schema.Finalize(); // counts inputs and outputs, once more each time
    add(std::move(schema));
  }
  void add(OpSchema schema) { all[schema.Name()].push_back(std::move(schema)); }

private:
  const OpSchema &latest(const std::string &name) {
    const auto found = all.find(name);
    return found == all.end() ? *onnx::OpSchemaRegistry::Schema(name, int(libraryOpset), "")
                              : found->second.back();
  }

  NewerSchemas &all;
};

/// The axes are an input from opset 18 on, and from 20 on extremes take truth values.
void addReductions(Newer &newer) {
  const auto reduction = [&](const std::string &name, int version, std::vector<std::string> types) {
    OpSchema schema = newer.fresh(name, version);
    schema.Attr("keepdims", "", Kind::INT, int64_t(1))
        .Attr("noop_with_empty_axes", "", Kind::INT, int64_t(0));
    schema.Input(0, "data", "", "T").Input(1, "axes", "", "tensor(int64)", OpSchema::Optional);
    schema.Output(0, "reduced", "", "T").TypeConstraint("T", std::move(types), "");
    newer.addFresh(schema);
  };
  for (const char *name : {"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax",
                           "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSumSquare"})
    reduction(name, 18, newer.types(name));
  for (const char *name : {"ReduceMax", "ReduceMin"})
    reduction(name, 20, newer.types(name, {"tensor(bool)"}));
}

void addMovement(Newer &newer) {
  OpSchema split = newer.asBefore("Split", 18);
  newer.add(split.Attr("num_outputs", "", Kind::INT, onnx::OPTIONAL_VALUE));
  OpSchema pad = newer.fresh("Pad", 18);
  pad.Attr("mode", "", Kind::STRING, std::string("constant"));
  pad.Input(0, "data", "", "T").Input(1, "pads", "", "tensor(int64)");
  pad.Input(2, "constant_value", "", "T", OpSchema::Optional);
  pad.Input(3, "axes", "", "Tind", OpSchema::Optional).Output(0, "output", "", "T");
  pad.TypeConstraint("T", newer.types("Pad"), "");
  newer.addFresh(pad.TypeConstraint("Tind", {"tensor(int32)", "tensor(int64)"}, ""));
  newer.add(newer.asBefore("Pad", 19)); // with mode wrap
  OpSchema toDepth = newer.asBefore("SpaceToDepth", 28);
  newer.add(toDepth.Attr("mode", "", Kind::STRING, std::string("DCR")));
}

void addWindows(Newer &newer) {
  OpSchema resize = newer.asBefore("Resize", 18);
  resize.Attr("antialias", "", Kind::INT, int64_t(0)).Attr("axes", "", Kind::INTS, onnx::OPTIONAL_VALUE);
  newer.add(resize.Attr("keep_aspect_ratio_policy", "", Kind::STRING, std::string("stretch")));
  newer.add(newer.asBefore("Resize", 19)); // with half_pixel_symmetric
  OpSchema pool = newer.asBefore("AveragePool", 19);
  newer.add(pool.Attr("dilations", "", Kind::INTS, onnx::OPTIONAL_VALUE));
}

void addCasts(Newer &newer) {
  for (const char *name : {"Cast", "CastLike"}) {
    OpSchema cast = newer.asBefore(name, 19);
    newer.add(cast.Attr("saturate", "", Kind::INT, int64_t(1)));
    cast = newer.asBefore(name, 24);
    newer.add(cast.Attr("round_mode", "", Kind::STRING, std::string("up")));
  }
}

/// Scales may be floats of 16 bits from opset 19 on, what is quantized integers of 16 bits from 21 on.
void addQuantization(Newer &newer) {
  const std::vector<std::string> reals = {"tensor(float)", "tensor(float16)", "tensor(bfloat16)"};
  const auto form = [&](const char *name, int version, const char *scale, const char *from, const char *to) {
    const bool quantizes = std::string(from) == "Real";
    OpSchema schema = newer.fresh(name, version);
    schema.Attr("axis", "", Kind::INT, int64_t(1)).Input(0, "x", "", from).Input(1, scale, "", "Scale");
    schema.Input(2, "zero_point", "", "Stored", OpSchema::Optional).Output(0, "y", "", to);
    std::vector<std::string> stored = {"tensor(int8)", "tensor(uint8)"}, numbers = reals;
    (quantizes ? numbers : stored).push_back("tensor(int32)");
    if (version >= 21) {
      stored.insert(stored.end(), {"tensor(int16)", "tensor(uint16)"});
      schema.Attr("block_size", "", Kind::INT, int64_t(0));
    }
    if (version >= (quantizes ? 21 : 23))
      schema.Attr("output_dtype", "", Kind::INT, int64_t(0));
    if (quantizes)
      schema.Attr("saturate", "", Kind::INT, int64_t(1));
    if (quantizes && version >= 23)
      schema.Attr("precision", "", Kind::INT, int64_t(0));
    schema.TypeConstraint("Scale", reals, "").TypeConstraint("Stored", stored, "");
    newer.addFresh(schema.TypeConstraint("Real", numbers, ""));
  };
  for (int version : {19, 21, 23}) {
    form("QuantizeLinear", version, "y_scale", "Real", "Stored");
    form("DequantizeLinear", version, "x_scale", "Stored", "Real");
  }
}

/// Operators whose inputs and outputs have more types than before, and mean the same.
void addTypes(Newer &newer) {
  const std::vector<std::string> brain = {"tensor(bfloat16)"};
  for (const char *name : {"Acos",
                           "Acosh",
                           "Asin",
                           "Asinh",
                           "Atan",
                           "Atanh",
                           "AveragePool",
                           "Conv",
                           "ConvTranspose",
                           "Cos",
                           "Cosh",
                           "Dropout",
                           "Elu",
                           "EyeLike",
                           "GRU",
                           "GlobalAveragePool",
                           "GlobalLpPool",
                           "GlobalMaxPool",
                           "HardSigmoid",
                           "HardSwish",
                           "InstanceNormalization",
                           "LSTM",
                           "LpNormalization",
                           "MaxPool",
                           "RNN",
                           "Round",
                           "Selu",
                           "Sin",
                           "Sinh",
                           "Softplus",
                           "Softsign",
                           "Tan",
                           "ThresholdedRelu"})
    newer.addFresh(newer.widened(name, 22, brain));
  newer.addFresh(newer.widened("NegativeLogLikelihoodLoss", 22, brain));
  newer.addFresh(newer.widened("ConstantOfShape", 20, brain));
  newer.add(newer.asBefore("Mod", 28)); // of floats with fmod 0
  newer.addFresh(newer.widened("TopK", 24, brain));
  OpSchema range = newer.widened("Range", 27, {"tensor(float16)", "tensor(bfloat16)"});
  newer.addFresh(range.Attr("stash_type", "", Kind::INT, int64_t(1)));
  newer.addFresh(newer.widened("BitShift", 28,
                               {"tensor(int8)", "tensor(int16)", "tensor(int32)", "tensor(int64)"}, "T"));
  newer.addFresh(newer.widened("Celu", 28, {"tensor(double)", "tensor(float16)", "tensor(bfloat16)"}));
  newer.addFresh(newer.widened("Einsum", 28, brain));
  newer.addFresh(newer.widened("OneHot", 28, brain, "T3"));
  newer.addFresh(newer.widened("ReverseSequence", 28, brain));
}

} // namespace

const NewerSchemas &newerSchemas() {
  static const NewerSchemas all = [] {
    NewerSchemas schemas;
    Newer newer(schemas);
    for (auto add : {addReductions, addMovement, addWindows, addCasts, addQuantization, addTypes})
      add(newer);
    addNewOperators(schemas);
    return schemas;
  }();
  return all;
}

const onnx::OpSchema *findSchema(const std::string &name, int64_t opset) {
  const OpSchema *found =
      onnx::OpSchemaRegistry::Schema(name, static_cast<int>(std::min(opset, libraryOpset)), "");
  if (const auto newer = newerSchemas().find(name); newer != newerSchemas().end())
    for (const OpSchema &schema : newer->second)
      if (schema.SinceVersion() <= opset)
        found = &schema;
  return found;
}

} // namespace daedalus::onnximport
