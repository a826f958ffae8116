// Kernels as launches of functions for the GPU.

#include "Libraries/LibraryCall.h"
#include "Products/LaunchProduct.h"
#include "Products/Padding.h"
#include "Rows/LaunchRows.h"
#include "Schedule/Decisions.h"
#include "Transforms.h"
#include "Windows/LaunchWindow.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace daedalus::cuda {
namespace {

/// Whether an operation stays in the kernel until a launch needs what it makes.
bool isMadeOnDemand(Operation *op) {
  return isMemoryEffectFree(op) || isa<memref::AllocOp, memref::LoadOp>(op);
}

class LaunchForming {
public:
  LaunchForming(func::FuncOp kernel, gpu::GPUModuleOp device, ArrayRef<LibraryChoice> libraries,
                Decisions &schedules)
      : kernel(kernel), device(device), libraries(libraries), schedules(schedules), b(kernel.getContext()) {}

  LogicalResult run() {
    Block &body = kernel.getBody().front();
    if (needsOneThread()) {
      for (Operation &op : body.without_terminator())
        addSerial(op);
    } else {
      if (failed(takeImages()))
        return failure();
      for (Operation *op = &body.front(); op != body.getTerminator();) {
        const FailureOr<Operation *> next = formAt(op);
        if (failed(next))
          return failure();
        op = *next;
      }
    }
    if (failed(launchSerial()))
      return failure();
    eraseUnused(body);
    return success();
  }

private:
  /// Launches what begins at an operation; the one behind that.
  FailureOr<Operation *> formAt(Operation *op) {
    Operation *next = op->getNextNode();
    if (isMadeOnDemand(op))
      return next;
    const auto call = libraryCallAt(op);
    const auto rows = call ? std::nullopt : rowsAt(op);
    const std::optional<Group> group = call || rows ? std::nullopt : groupAt(op);
    if (!call && !rows && !group) {
      addSerial(*op);
      return next;
    }
    if (failed(launchSerial()))
      return failure();
    if (call) {
      next = (call->second.rounds ? call->first.last() : call->first.root.getOperation())->getNextNode();
      callLibrary(call->first, call->second);
      return next;
    }
    Operation *last = rows ? rows->chain.last() : group->last();
    next = last->getNextNode();
    if (rows)
      launchRows(*rows, device, nextName());
    else if (failed(launch(*group)))
      return failure();
    eraseThrough(op, last);
    return next;
  }

  void addSerial(Operation &op) {
    if (!isa<memref::AllocOp, memref::GetGlobalOp>(op))
      serial.push_back(&op);
  }

  LogicalResult launchSerial() {
    const SmallVector<Operation *> ops = std::exchange(serial, {});
    return ops.empty() ? success() : launchSerially(ops, device, nextName(), b);
  }

  /// Whether a launch would need a number that no later one can compute again: the result of a loop, or one
  /// that was read where something else is stored later.
  bool needsOneThread() {
    llvm::DenseSet<Value> written; // behind an operation
    for (Operation &op : llvm::reverse(kernel.getBody().front())) {
      auto load = dyn_cast<memref::LoadOp>(op);
      if (load ? written.contains(bufferOf(load.getMemRef()))
               : !isMadeOnDemand(&op) && op.getNumResults() > 0)
        return true;
      op.walk([&](Operation *nested) {
        if (auto linalg = dyn_cast<linalg::LinalgOp>(nested))
          written.insert(bufferOf(linalg.getDpsInits()[0]));
        else if (auto store = dyn_cast<memref::StoreOp>(nested))
          written.insert(bufferOf(store.getMemRef()));
      });
    }
    return false;
  }

  /// That of a product, with what fills its result.
  static Group groupOf(linalg::LinalgOp root) {
    for (Operation *user : root.getDpsInits()[0].getUsers())
      if (const auto group = isa<linalg::FillOp>(user) ? groupAt(user) : std::nullopt)
        if (group->root == root)
          return *group;
    return *groupAt(root);
  }

  /// Libraries' calls and products by tiles read images themselves for what is padded; nobody pads them then.
  /// The images become their operands, for who computes them asks who reads them.
  LogicalResult takeImages() {
    SmallVector<Operation *> pads;
    for (auto op : kernel.getBody().front().getOps<linalg::LinalgOp>()) {
      std::optional<Product> product = Product::of(op);
      if (!product || !groupAt(op))
        continue;
      prepareForLibraries(groupOf(op), libraries);
      if (const auto call = libraryCallOf(groupOf(op), libraries)) {
        calls.insert({op, *call});
        if (!call->unused.empty())
          op.getDpsInputOperand(0)->set(call->x);
        llvm::append_range(pads, call->unused);
        continue;
      }
      const SmallVector<Operation *> written = readImages(*product);
      if (written.empty())
        continue;
      const FailureOr<Tile> tile = schedules.decide(*product);
      if (failed(tile))
        return failure();
      if (tile->way != Way::Threads) {
        ofImages.insert({op, *product});
        for (const Factor &factor : {product->a, product->b})
          if (factor.border)
            factor.operand->set(factor.border->image);
        llvm::append_range(pads, written);
      }
    }
    for (Operation *pad : pads)
      pad->erase();
    return success();
  }

  /// A group whose root a library computes; what would fuse behind it has launches of its own.
  std::optional<std::pair<Group, LibraryCall>> libraryCallAt(Operation *op) const {
    const std::optional<Group> group = calls.empty() ? std::nullopt : groupAt(op);
    const auto call = group ? calls.find(group->root) : calls.end();
    return call == calls.end() ? std::nullopt : std::optional(std::pair(*group, call->second));
  }

  void callLibrary(const Group &group, const LibraryCall &call) {
    const bool isAdded = !beginsWithZero(group);
    if (group.fill && isAdded) {
      Group fill;
      fill.root = group.fill;
      b.setInsertionPoint(group.root);
      launchPoints(fill, device, nextName(), b);
    }
    b.setInsertionPoint(call.rounds ? group.last() : group.root.getOperation());
    call.create(b, group.root.getLoc(), /*accumulates=*/isAdded);
    if (call.rounds)
      group.epilogue->erase();
    if (group.fill)
      group.fill->erase();
    group.root->erase();
  }

  std::optional<Product> productOf(linalg::LinalgOp op) const {
    const auto known = ofImages.find(op);
    return known == ofImages.end() ? Product::of(op) : known->second;
  }

  /// An identifier of PTX that no other function has: as many as there are stand before it.
  std::string nextName() {
    std::string name = kernel.getName().str();
    for (char &c : name)
      c = llvm::isAlnum(c) ? c : '_';
    if (!llvm::isAlpha(name.front()))
      name = "k" + name;
    return name + "$" + std::to_string(llvm::range_size(device.getOps<gpu::GPUFuncOp>()));
  }

  LogicalResult launch(const Group &group) {
    b.setInsertionPointAfter(group.last());
    if (const std::optional<Product> product = productOf(group.root)) {
      const FailureOr<Tile> tile = schedules.decide(*product);
      if (failed(tile))
        return failure();
      if (tile->way != Way::Threads) {
        launchProduct(group, *product, *tile, device, nextName(), b);
        return success();
      }
    }
    if (const std::optional<Window> window = Window::of(group.root)) {
      const FailureOr<WindowTile> tile = schedules.decide(*window);
      if (failed(tile))
        return failure();
      if (tile->way != WindowWay::Threads) {
        launchWindow(group, *window, *tile, device, nextName(), b);
        return success();
      }
    }
    launchPoints(group, device, nextName(), b);
    return success();
  }

  static void eraseThrough(Operation *first, Operation *last) {
    SmallVector<Operation *> ops;
    for (Operation *op = first; op; op = op == last ? nullptr : op->getNextNode())
      if (!isMadeOnDemand(op))
        ops.push_back(op);
    for (Operation *op : ops)
      op->erase();
  }

  static void eraseUnused(Block &body) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
      if (isMadeOnDemand(&op) && op.use_empty() && !op.hasTrait<OpTrait::IsTerminator>())
        op.erase();
  }

  func::FuncOp kernel;
  gpu::GPUModuleOp device;
  const ArrayRef<LibraryChoice> libraries;
  Decisions &schedules;
  OpBuilder b;
  SmallVector<Operation *> serial; ///< that wait for a launch
  llvm::DenseMap<Operation *, Product> ofImages;
  llvm::DenseMap<Operation *, LibraryCall> calls;
};

} // namespace

LogicalResult formLaunches(func::FuncOp kernel, gpu::GPUModuleOp device, ArrayRef<LibraryChoice> libraries,
                           Decisions &schedules) {
  return LaunchForming(kernel, device, libraries, schedules).run();
}

} // namespace daedalus::cuda
