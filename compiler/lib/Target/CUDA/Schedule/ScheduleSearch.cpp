// See ScheduleSearch.h. An entry of the search is all that a schedule says of a product: one line, or two
// where code for sm_90a obeys another one than other code does.

#include "ScheduleSearch.h"

#include "Decisions.h"
#include "Kernels.h"
#include "Libraries/LibraryChoice.h"
#include "Near.h"
#include "Transforms/Buffers.h"
#include "Transforms/Transforms.h"

#include "daedalus/Dialect/Host/IR/Layers.h"
#include "daedalus/Target/CUDA/CUDA.h"
#include "daedalus/Target/CUDA/Settings.h"
#include "daedalus/Target/Schedule.h"

#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <numeric>

using namespace mlir;

namespace daedalus::cuda {
namespace {

std::string textOf(Operation *entry) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  entry->print(stream, OpPrintingFlags().useLocalScope().assumeVerified()); // it may have no parent
  return text;
}

/// What a schedule says of products or windows.
struct Lines {
  std::string ofAll,
      ofWarpgroups; ///< may be empty; the latter is obeyed by code for sm_90a in front of the other

  std::string text() const {
    return ofAll + (ofAll.empty() || ofWarpgroups.empty() ? "" : "\n  ") + ofWarpgroups;
  }
  std::string &of(Operation *entry) { return isByWarpgroups(*entry) ? ofWarpgroups : ofAll; }
};

using Given = llvm::MapVector<std::string, Lines, std::map<std::string, unsigned>>; ///< by keys

Given linesOf(ScheduleOp schedule) {
  Given lines;
  for (Operation &entry : schedule.getBody().getOps())
    lines[whatIsScheduled(entry)].of(&entry) = textOf(&entry);
  return lines;
}

/// A product or a window of a model.
struct Found {
  Lines lines;
  std::vector<std::pair<std::string, bool>>
      near;                             ///< lines, and whether they are for no other than sm_90a's code
  double work = 0;                      ///< elements that are added up
  llvm::SetVector<StringRef> functions; ///< in which it is
};

/// Collects what kernels have.
class Collector : public DecisionListener {
public:
  explicit Collector(const Given &given) : given(given) {}

  void enter(const Architecture &of, StringRef kernel) {
    architecture = of;
    function = kernel;
  }

  void decided(const Product &product, const Tile &tile) override {
    const auto line = [&](const Tile &of) -> Operation * {
      return createEntry(b(product.op), product.op.getLoc(), product.a.type(), sizesOf(product), of);
    };
    const auto sizes = sizesOf(product);
    note(line(tile), std::accumulate(sizes.begin(), sizes.end(), 1.0, std::multiplies<>()), [&](auto add) {
      for (const Tile &other : tilesNear(product, tile, architecture))
        add(line(other));
    });
  }

  void decided(const Window &window, const WindowTile &tile) override {
    const auto line = [&](const WindowTile &of) -> Operation * {
      return createEntry(b(window.op), window.op.getLoc(), window.element(), window.sizesOf(window.parallel),
                         window.sizesOf(window.reductions), of);
    };
    note(line(tile), std::accumulate(window.sizes.begin(), window.sizes.end(), 1.0, std::multiplies<>()),
         [&](auto add) {
           for (const WindowTile &other : tilesNear(window, tile))
             add(line(other));
         });
  }

  llvm::MapVector<std::string, Found, std::map<std::string, unsigned>> all; ///< by keys

private:
  OpBuilder &b(Operation *of) {
    builder.emplace(of->getContext());
    return *builder;
  }

  template <class Near> void note(OwningOpRef<Operation *> own, double work, Near near) {
    const std::string key = whatIsScheduled(**own);
    const auto known = given.find(key);
    Found &found = all[key];
    if (found.functions.empty() && known != given.end())
      found.lines = known->second;
    std::string &line = found.lines.of(*own);
    line = line.empty() ? textOf(*own) : line;
    found.work = work;
    found.functions.insert(function);
    if (searched.insert(architecture.name() + key).second)
      near([&](OwningOpRef<Operation *> other) {
        found.near.emplace_back(textOf(*other), isByWarpgroups(**other));
      });
  }

  const Given &given;
  Architecture architecture;
  StringRef function;
  std::optional<OpBuilder> builder;
  llvm::StringSet<> searched;
};

/// What the kernels have as they are lowered for an architecture; nothing where they cannot be.
void collect(ArrayRef<func::FuncOp> kernels, const Architecture &architecture,
             ArrayRef<LibraryChoice> libraries, Collector &collector) {
  OwningOpRef<ModuleOp> module = takeKernels(kernels);
  PassManager passes(module->getContext());
  addFormBuffers(passes);
  if (failed(passes.run(*module)))
    return;
  gpu::GPUModuleOp device = addDeviceModule(*module);
  Decisions schedules(*module, architecture, &collector);
  for (auto kernel : kernels) {
    collector.enter(architecture, kernel.getName());
    (void)formLaunches(module->lookupSymbol<func::FuncOp>(kernel.getName()), device, libraries, schedules);
  }
}

/// The entry, and what may stand in its place; `functions` are what it is measured in.
ScheduledKernel kernelOf(const std::string &key, const Found &found,
                         const llvm::StringMap<std::vector<uint32_t>> &layers) {
  ScheduledKernel kernel{{key, found.lines.text()}, {}, {}};
  for (StringRef function : found.functions)
    llvm::append_range(kernel.layers, layers.lookup(function));
  llvm::StringSet<> seen{kernel.entry.text};
  for (const auto &[line, isOfWarpgroups] : found.near) {
    // Another line than by warpgroups would not be obeyed beside one by warpgroups.
    const Lines changed = isOfWarpgroups ? Lines{found.lines.ofAll, line} : Lines{line, ""};
    if (seen.insert(changed.text()).second)
      kernel.near.push_back({key, changed.text()});
  }
  return kernel;
}

class Scheduling : public SchedulingInterface {
public:
  using SchedulingInterface::SchedulingInterface;

  StringRef section() const override { return ScheduleOp::getOperationName(); }
  bool isSearched() const override { return true; }

  std::vector<ScheduleEntry> entriesOf(Operation *schedule) const override {
    std::vector<ScheduleEntry> entries;
    for (const auto &[key, lines] : linesOf(cast<ScheduleOp>(schedule)))
      entries.push_back({key, lines.text()});
    return entries;
  }

  std::string sectionOf(ArrayRef<ScheduleEntry> entries) const override {
    std::string text = section().str() + " format " + std::to_string(ScheduleOp::Format) + " {\n";
    for (const ScheduleEntry &entry : entries)
      text += "  " + entry.text + "\n";
    return text + "}\n";
  }

  /// A package is for all GPUs of its architectures, and may be compiled where none is.
  std::string deviceOf(const TargetSettings &settings, unsigned /*threads*/) const override {
    std::string names;
    if (const auto architectures = parseArchitectures(settings.of<Settings>().architectures))
      for (const Architecture &architecture : *architectures)
        names += (names.empty() ? "" : ",") + architecture.name();
    return "architectures=" + names + "\n";
  }

  /// Of several in one function the one with the most work; how long the others take is not measured.
  std::vector<ScheduledKernel> kernelsOf(ModuleOp module, const TargetSettings &settings,
                                         unsigned /*threads*/) const override {
    const SmallVector<func::FuncOp> kernels = cuda::kernelsOf(module);
    const auto architectures = parseArchitectures(settings.of<Settings>().architectures);
    const auto libraries = parseLibraries(settings.of<Settings>().libraries);
    if (kernels.empty() || !architectures || !libraries)
      return {};
    Given given;
    for (ScheduleOp schedule : module.getOps<ScheduleOp>())
      given = linesOf(schedule);
    Collector collector(given);
    for (const Architecture &architecture : *architectures)
      collect(kernels, architecture, *libraries, collector);
    llvm::StringMap<const Found *> most; // by functions
    for (const auto &[key, found] : collector.all)
      for (StringRef function : found.functions)
        if (const Found *&known = most[function]; !known || known->work < found.work)
          known = &found;
    const llvm::StringMap<std::vector<uint32_t>> layers = host::layersOf(module);
    std::vector<ScheduledKernel> all;
    for (const auto &[key, found] : collector.all)
      if (llvm::all_of(found.functions, [&, &one = found](StringRef name) { return most[name] == &one; }))
        all.push_back(kernelOf(key, found, layers));
    return all;
  }
};

} // namespace

void addScheduling(Dialect &dialect) {
  dialect.addInterface(std::make_unique<Scheduling>(&dialect));
}

} // namespace daedalus::cuda
