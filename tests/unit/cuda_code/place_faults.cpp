// Faults of addresses in global memory, and of launches.
#include "faults.h"

using namespace mlir;

namespace daedalus::test {
namespace {

std::vector<LLVM::LoadOp> globalLoads(Subject &s) {
  return allOf<LLVM::LoadOp>(s.module, [](LLVM::LoadOp op) { return isGlobal(op.getAddr()); });
}
std::vector<LLVM::StoreOp> globalStores(Subject &s) {
  return allOf<LLVM::StoreOp>(s.module, [](LLVM::StoreOp op) { return isGlobal(op.getAddr()); });
}

bool loadNext(Subject &s) {
  return editFirst(globalLoads(s), [](LLVM::LoadOp op) { addTo(*indexOf(op.getAddr()), 1); });
}

bool loadFromOther(Subject &s) {
  return editFirst(globalLoads(s), [](LLVM::LoadOp op) {
    auto address = op.getAddr().getDefiningOp<LLVM::GEPOp>();
    auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
    address->setOperand(0, function.getArgument(1));
  });
}

bool storeToNeighbour(Subject &s) {
  return editEach(globalStores(s), [](LLVM::StoreOp op) { flipLastBit(*indexOf(op.getAddr())); });
}

/// Of all rows: those behind the last are rows of nobody.
std::function<bool(Subject &)> storeFurther(int64_t by) {
  return [=](Subject &s) {
    return editEach(globalStores(s), [&](LLVM::StoreOp op) { addTo(*indexOf(op.getAddr()), by); });
  };
}

template <class From, class To> bool takeFor(Subject &s) {
  return editEach(allOf<From>(s.module), [](From op) {
    OpBuilder b(op);
    Value other = b.create<To>(op.getLoc(), op.getType());
    op.getResult().replaceAllUsesWith(other);
  });
}

/// A division or a remainder that tells the block's tile is by one more.
template <class Op> bool divideBlockByMore(Subject &s) {
  const auto isOfBlock = [](Op op) {
    return beforeCasts(op.getLhs()).template getDefiningOp<NVVM::BlockIdXOp>() && constantOf(op.getRhs());
  };
  return editEach(allOf<Op>(s.module, isOfBlock), [](Op op) { addTo(op->getOpOperand(1), 1); });
}

/// Places in the window are told by a width of one more.
bool widenWindow(Subject &s) {
  const auto isOfWindow = [](LLVM::URemOp op) { return constantOf(op.getRhs()) == windowWidth; };
  return editEach(allOf<LLVM::URemOp>(s.module, isOfWindow),
                  [](LLVM::URemOp op) { addTo(op->getOpOperand(1), 1); });
}

template <class Edit> bool editLaunches(Subject &s, Edit edit) {
  for (cuda::Kernel &kernel : s.code.images.front().kernels)
    if (edit(kernel.launches))
      return true;
  return false;
}

using Launches = std::vector<cuda::Launch>;

bool launchOneBlockLess(Subject &s) {
  return editLaunches(s, [](Launches &launches) {
    const bool isThere = !launches.empty() && launches.back().grid[0] > 1;
    launches.back().grid[0] -= isThere;
    return isThere;
  });
}

bool launchHalfOfThreads(Subject &s) {
  return editLaunches(s, [](Launches &launches) { return launches.back().block[0] /= 2, true; });
}

bool exchangeLaunches(Subject &s) {
  return editLaunches(s, [](Launches &launches) {
    return launches.size() > 1 && (std::swap(launches[0], launches[1]), true);
  });
}

bool dropFirstLaunch(Subject &s) {
  return editLaunches(
      s, [](Launches &launches) { return launches.size() > 1 && (launches.erase(launches.begin()), true); });
}

bool exchangeArguments(Subject &s) {
  return editLaunches(s, [](Launches &launches) {
    auto &parameters = launches.back().parameters;
    return parameters.size() > 2 && (std::swap(parameters[0], parameters[1]), true);
  });
}

bool moveArgument(Subject &s) {
  return editLaunches(s, [](Launches &launches) { return launches.back().parameters[0].offset += 4, true; });
}

} // namespace

std::vector<Fault> faultsOfPlaces() {
  return {
      {"elementwise", "the element behind is loaded", loadNext},
      {"elementwise", "the other operand is loaded", loadFromOther},
      {"elementwise", "neighbours are stored in each other's places", storeToNeighbour},
      {"reduction", "results are stored one row further", storeFurther(1)},
      {"int8 product", "results are stored one row further", storeFurther(int8Extents.n)},
      {"softmax", "the block's index for the thread's", takeFor<NVVM::ThreadIdXOp, NVVM::BlockIdXOp>},
      {"float16 product", "the thread's index for the block's", takeFor<NVVM::BlockIdXOp, NVVM::ThreadIdXOp>},
      {"float16 product", "tiles of a row are one more than there are", divideBlockByMore<LLVM::URemOp>},
      {"float16 product", "a block less than tiles", launchOneBlockLess},
      {"float32 product", "half of a block's threads", launchHalfOfThreads},
      {"padding", "two launches are exchanged", exchangeLaunches},
      {"convolution", "the window is a pixel wider", widenWindow},
      {"padding", "the first launch is forgotten", dropFirstLaunch},
      {"float32 product", "the factors are exchanged", exchangeArguments},
      {"elementwise", "an operand begins an element later", moveArgument},
  };
}

} // namespace daedalus::test
