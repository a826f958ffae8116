// See Schemas.h. What changed is in ONNX's docs/Changelog.md, versions 18 to 28. Types that no tensor here
// can have (float8, float4, int4 and the like) are left out.

#include "Schemas.h"

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
  OpSchema cast = newer.asBefore("Cast", 19);
  newer.add(cast.Attr("saturate", "", Kind::INT, int64_t(1)));
  cast = newer.asBefore("Cast", 24);
  newer.add(cast.Attr("round_mode", "", Kind::STRING, std::string("up")));
  OpSchema quantize = newer.asBefore("QuantizeLinear", 19);
  newer.add(quantize.Attr("saturate", "", Kind::INT, int64_t(1)));
  quantize = newer.asBefore("QuantizeLinear", 21);
  quantize.Attr("output_dtype", "", Kind::INT, int64_t(0));
  newer.add(quantize.Attr("block_size", "", Kind::INT, int64_t(0)));
  quantize = newer.asBefore("QuantizeLinear", 23);
  newer.add(quantize.Attr("precision", "", Kind::INT, int64_t(0)));
  OpSchema dequantize = newer.asBefore("DequantizeLinear", 21);
  newer.add(dequantize.Attr("block_size", "", Kind::INT, int64_t(0)));
  dequantize = newer.asBefore("DequantizeLinear", 23);
  newer.add(dequantize.Attr("output_dtype", "", Kind::INT, int64_t(0)));
}

} // namespace

const NewerSchemas &newerSchemas() {
  static const NewerSchemas all = [] {
    NewerSchemas schemas;
    Newer newer(schemas);
    for (auto add : {addReductions, addMovement, addWindows, addCasts})
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
