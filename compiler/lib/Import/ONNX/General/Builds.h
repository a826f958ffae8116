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

void addActivations(Builds &builds);
void addAttention(Builds &builds);
void addEinsum(Builds &builds);
void addElementwise(Builds &builds);
void addFunctions(Builds &builds);
void addGathers(Builds &builds);
void addGridSamples(Builds &builds);
void addImages(Builds &builds);
void addIntegers(Builds &builds);
void addLosses(Builds &builds);
void addLpPools(Builds &builds);
void addMovement(Builds &builds);
void addPads(Builds &builds);
void addSlices(Builds &builds);
void addResize(Builds &builds);
void addShapes(Builds &builds);
void addProducts(Builds &builds);
void addPools(Builds &builds);
void addReductions(Builds &builds);
void addNormalizations(Builds &builds);
void addNorms(Builds &builds);
void addOrders(Builds &builds);
void addPatterns(Builds &builds);
void addRecurrent(Builds &builds);
void addScans(Builds &builds);
void addScatters(Builds &builds);
void addTransposedConvolutions(Builds &builds);
void addQuantization(Builds &builds);

} // namespace daedalus::onnximport

#endif
