// The tables of operators, one a file.

#ifndef DAEDALUS_LIB_IMPORT_ONNX_GENERAL_BUILDS_H
#define DAEDALUS_LIB_IMPORT_ONNX_GENERAL_BUILDS_H

#include "Kernel.h"

#include <map>

namespace daedalus::onnximport {

using Builds = std::map<std::string, BuildKernel>;

/// All of them.
const Builds &builds();

void addConvolutions(Builds &builds);
/// Those of one tensor, element by element.
const Builds &functionBuilds();

void addElementwise(Builds &builds);
void addFunctions(Builds &builds);
void addGathers(Builds &builds);
void addMovement(Builds &builds);
void addPads(Builds &builds);
void addSlices(Builds &builds);
void addResize(Builds &builds);
void addShapes(Builds &builds);
void addProducts(Builds &builds);
void addPools(Builds &builds);
void addReductions(Builds &builds);
void addNormalizations(Builds &builds);
void addQuantization(Builds &builds);

} // namespace daedalus::onnximport

#endif
