// What ONNX says of an operator's form: libonnx's own schemas up to opset 17, and for the opsets behind that
// the operators whose inputs, attributes or types have changed since, or are new.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_SCHEMA_SCHEMAS_H
#define DAEDALUS_LIB_IMPORT_ONNX_SCHEMA_SCHEMAS_H

#include <onnx/defs/schema.h>

#include <map>
#include <string>
#include <vector>

namespace daedalus::onnximport {

/// The newest opset whose operators are known here.
constexpr int64_t newestOpset = 28;
/// The newest opset that libonnx itself knows.
constexpr int64_t libraryOpset = 17;

/// The operator of ONNX's own domain as `opset` has it; null where there is none.
const onnx::OpSchema *findSchema(const std::string &name, int64_t opset);

/// By name, the oldest first.
using NewerSchemas = std::map<std::string, std::vector<onnx::OpSchema>>;

/// Adds the operators that libonnx does not know.
void addNewOperators(NewerSchemas &schemas);

/// Those of opset 18 and newer.
const NewerSchemas &newerSchemas();

} // namespace daedalus::onnximport

#endif
