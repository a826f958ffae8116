// The schemas of operators that opset 18 and newer have brought: which inputs, outputs and attributes they
// have, and which types. ONNX's docs/Operators.md says them.

#include "Schema/Schemas.h"

namespace daedalus::onnximport {
namespace {

using onnx::OpSchema;
using Kind = onnx::AttributeProto;
using Types = std::vector<std::string>;

const Types floats = {"tensor(float16)", "tensor(bfloat16)", "tensor(float)", "tensor(double)"};
const Types unsignedIntegers = {"tensor(uint8)", "tensor(uint16)", "tensor(uint32)", "tensor(uint64)"};
const Types indices = {"tensor(int32)", "tensor(int64)"};

Types operator+(Types types, const Types &more) {
  types.insert(types.end(), more.begin(), more.end());
  return types;
}

const Types integers =
    unsignedIntegers + Types{"tensor(int8)", "tensor(int16)", "tensor(int32)", "tensor(int64)"};
const Types numbers = floats + integers;
const Types all = numbers + Types{"tensor(bool)"};

/// One operator, its inputs and outputs in order. The names of types are those of `types` or a type's own.
class Form {
public:
  Form(const char *name, int version) { schema.SetName(name).SetDomain("").SinceVersion(version); }
  Form &in(const char *name, const char *type, OpSchema::FormalParameterOption option = OpSchema::Single) {
    schema.Input(schema.inputs().size(), name, "", type, option);
    return *this;
  }
  Form &maybe(const char *name, const char *type) { return in(name, type, OpSchema::Optional); }
  Form &out(const char *name, const char *type, OpSchema::FormalParameterOption option = OpSchema::Single) {
    schema.Output(schema.outputs().size(), name, "", type, option);
    return *this;
  }
  Form &maybeOut(const char *name, const char *type) { return out(name, type, OpSchema::Optional); }
  Form &types(const char *name, const Types &of) {
    schema.TypeConstraint(name, of, "");
    return *this;
  }
  Form &integer(const char *name, int64_t otherwise) {
    schema.Attr(name, "", Kind::INT, otherwise);
    return *this;
  }
  Form &real(const char *name, float otherwise) {
    schema.Attr(name, "", Kind::FLOAT, otherwise);
    return *this;
  }
  Form &text(const char *name, const char *otherwise) {
    schema.Attr(name, "", Kind::STRING, std::string(otherwise));
    return *this;
  }
  Form &required(const char *name, Kind::AttributeType kind) {
    schema.Attr(name, "", kind, true);
    return *this;
  }
  Form &open(const char *name, Kind::AttributeType kind) {
    schema.Attr(name, "", kind, onnx::OPTIONAL_VALUE);
    return *this;
  }

  OpSchema schema;
};

Form function(const char *name, int version, const Types &types = floats) {
  return Form(name, version).in("X", "T").out("Y", "T").types("T", types);
}

std::vector<Form> elementwise() {
  std::vector<Form> forms = {function("Gelu", 20).text("approximate", "none"), function("Mish", 18),
                             function("Swish", 24).real("alpha", 1), function("BitwiseNot", 18, integers),
                             Form("IsInf", 20)
                                 .in("X", "T1")
                                 .out("Y", "T2")
                                 .types("T1", floats)
                                 .types("T2", {"tensor(bool)"})
                                 .integer("detect_negative", 1)
                                 .integer("detect_positive", 1)};
  forms.push_back(
      Form("SwiGLU", 28).in("A", "T").in("B", "T").out("Y", "T").types("T", floats).real("alpha", 1));
  forms.push_back(Form("BitCast", 26)
                      .in("X", "T1")
                      .out("Y", "T2")
                      .types("T1", all)
                      .types("T2", all)
                      .required("to", Kind::INT));
  for (const char *name : {"BitwiseAnd", "BitwiseOr", "BitwiseXor"})
    forms.push_back(Form(name, 18).in("A", "T").in("B", "T").out("C", "T").types("T", integers));
  return forms;
}

std::vector<Form> normalizations() {
  const auto group = [](int version) {
    return Form("GroupNormalization", version)
        .in("X", "T")
        .in("scale", "T")
        .in("bias", "T")
        .out("Y", "T")
        .types("T", floats)
        .required("num_groups", Kind::INT)
        .real("epsilon", 1e-5f);
  };
  return {group(18), group(21).integer("stash_type", 1),
          Form("RMSNormalization", 23)
              .in("X", "T")
              .in("scale", "V")
              .out("Y", "V")
              .types("T", floats)
              .types("V", floats)
              .integer("axis", -1)
              .real("epsilon", 1e-5f)
              .integer("stash_type", 1)};
}

std::vector<Form> transformers() {
  const auto attention = [](int version) {
    return Form("Attention", version)
        .in("Q", "T1")
        .in("K", "T1")
        .in("V", "T2")
        .maybe("attn_mask", "U")
        .maybe("past_key", "T1")
        .maybe("past_value", "T2")
        .types("T1", floats)
        .types("T2", floats)
        .types("U", all)
        .integer("is_causal", 0)
        .open("q_num_heads", Kind::INT)
        .open("kv_num_heads", Kind::INT)
        .integer("qk_matmul_output_mode", 0)
        .open("scale", Kind::FLOAT)
        .real("softcap", 0)
        .open("softmax_precision", Kind::INT);
  };
  const auto outputs = [](Form form) {
    return form.out("Y", "T1")
        .maybeOut("present_key", "T1")
        .maybeOut("present_value", "T2")
        .maybeOut("qk_matmul_output", "T1");
  };
  const auto withLengths = [&](int version) {
    return attention(version).maybe("nonpad_kv_seqlen", "tensor(int64)");
  };
  return {outputs(attention(23)), outputs(withLengths(24)),
          outputs(withLengths(25)).integer("left_window_size", -1).integer("right_window_size", -1),
          Form("RotaryEmbedding", 23)
              .in("X", "T")
              .in("cos_cache", "T")
              .in("sin_cache", "T")
              .maybe("position_ids", "M")
              .out("Y", "T")
              .types("T", floats)
              .types("M", {"tensor(int64)"})
              .integer("interleaved", 0)
              .integer("rotary_embedding_dim", 0)
              .open("num_heads", Kind::INT)};
}

std::vector<Form> movement() {
  return {Form("CumProd", 26)
              .in("x", "T")
              .in("axis", "T2")
              .out("y", "T")
              .types("T", numbers)
              .types("T2", indices)
              .integer("exclusive", 0)
              .integer("reverse", 0),
          Form("ScatterElements", 18)
              .in("data", "T")
              .in("indices", "Tind")
              .in("updates", "T")
              .out("output", "T")
              .types("T", all)
              .types("Tind", indices)
              .integer("axis", 0)
              .text("reduction", "none"),
          Form("ScatterND", 18)
              .in("data", "T")
              .in("indices", "tensor(int64)")
              .in("updates", "T")
              .out("output", "T")
              .types("T", all)
              .text("reduction", "none"),
          Form("TensorScatter", 24)
              .in("past_cache", "T")
              .in("update", "T")
              .maybe("write_indices", "tensor(int64)")
              .out("present_cache", "T")
              .types("T", all)
              .integer("axis", -2)
              .text("mode", "linear")};
}

std::vector<Form> images() {
  const auto sample = [](int version) {
    return Form("GridSample", version)
        .in("X", "T1")
        .in("grid", "T2")
        .out("Y", "T1")
        .types("T1", all)
        .types("T2", floats)
        .integer("align_corners", 0)
        .text("mode", "linear")
        .text("padding_mode", "zeros");
  };
  return {sample(20),
          Form("AffineGrid", 20)
              .in("theta", "T1")
              .in("size", "T2")
              .out("grid", "T1")
              .types("T1", floats)
              .types("T2", {"tensor(int64)"})
              .integer("align_corners", 0),
          Form("CenterCropPad", 18)
              .in("input_data", "T")
              .in("shape", "Tind")
              .out("output_data", "T")
              .types("T", all)
              .types("Tind", indices)
              .open("axes", Kind::INTS),
          Form("Col2Im", 18)
              .in("input", "T")
              .in("image_shape", "tensor(int64)")
              .in("block_shape", "tensor(int64)")
              .out("output", "T")
              .types("T", all)
              .open("dilations", Kind::INTS)
              .open("pads", Kind::INTS)
              .open("strides", Kind::INTS),
          function("LpPool", 18)
              .text("auto_pad", "NOTSET")
              .integer("ceil_mode", 0)
              .open("dilations", Kind::INTS)
              .required("kernel_shape", Kind::INTS)
              .integer("p", 2)
              .open("pads", Kind::INTS)
              .open("strides", Kind::INTS)};
}

} // namespace

void addNewOperators(NewerSchemas &schemas) {
  for (const auto &forms : {elementwise(), normalizations(), transformers(), movement(), images()})
    for (Form form : forms) {
      form.schema.Finalize(); // counts inputs and outputs, once more each time
      schemas[form.schema.Name()].push_back(form.schema);
    }
}

} // namespace daedalus::onnximport
