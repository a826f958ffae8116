#include "Warpgroups.h"

#include "Accesses.h"
#include "WarpgroupSums.h"

#include <algorithm>

namespace daedalus::cuda {
namespace {

constexpr unsigned chunk = 16;
constexpr uint64_t nobodysSum = 0x7fbadbad; ///< a NaN, and an unlikely integer

const WarpgroupProduct &productOf(const Warp &warp, const Instruction &instruction) {
  return warp.launch.kernel.warpgroupProducts[instruction.extra];
}

/// What is begun is the same for all lanes, and four warps do it.
bool isWarpgroups(Warp &warp, const Instruction &instruction) {
  const unsigned first = warp.number() / warpsOfGroup * warpsOfGroup;
  if ((first + warpsOfGroup) * warpSize > warp.launch.threads())
    return warp.fail(0, instruction,
                     "needs four warps that follow each other, but the block has " +
                         std::to_string(warp.launch.threads()) + " threads"),
           false;
  for (uint32_t operand : {instruction.operands[0], instruction.operands[1]})
    for (unsigned lane = 1; lane < warpSize; ++lane)
      if (warp.slot(operand)[lane] != warp.slot(operand)[0])
        return warp.fail(lane, instruction, "has another descriptor than the first thread of its warp"),
               false;
  return true;
}

bool isReadable(Warp &warp, const Instruction &instruction, const MatrixDescriptor &matrix) {
  if (matrix.baseOffset == 0 && matrix.isAtPattern())
    return true;
  warp.fail(0, instruction,
            "reads a matrix at " + std::to_string(matrix.start) + ", in the midst of a pattern of " +
                std::to_string(8 * matrix.swizzle) + " bytes whose chunks change places");
  return false;
}

/// Chunks of a factor, each the address of its first element: eight lines of one behind the other, as they
/// are read.
std::vector<uint64_t> chunksOf(const MatrixDescriptor &matrix, Major major, unsigned firstRow, unsigned rows,
                               unsigned k, unsigned bytes) {
  const unsigned elements = chunk / bytes, lines = major == Major::K ? rows : k,
                 width = major == Major::K ? k : rows;
  std::vector<uint64_t> chunks;
  for (unsigned along = 0; along < width; along += elements)
    for (unsigned line = 0; line < lines; ++line)
      chunks.push_back(major == Major::K ? addressOf(matrix, major, firstRow + line, along, bytes)
                                         : addressOf(matrix, major, firstRow + along, line, bytes));
  return chunks;
}

/// Notes that the warp reads them; false after a fault.
bool read(Warp &warp, const Instruction &instruction, const std::vector<uint64_t> &chunks) {
  for (size_t i = 0; i < chunks.size(); ++i) {
    const auto lane = static_cast<unsigned>(i % warpSize);
    if (!readable(warp, {instruction, lane, Space::Shared, chunks[i], chunk, chunk}))
      return false;
    const uint8_t *flags = warp.launch.shared.flags.data() + chunks[i];
    if (std::any_of(flags, flags + chunk, [](uint8_t flag) { return flag & isUnfenced; }))
      return warp.fail(lane, instruction,
                       "reads " + std::to_string(chunk) + " bytes of shared memory at " +
                           std::to_string(chunks[i]) + " that were written with no fence.proxy.async behind"),
             false;
  }
  return true;
}

/// Eight lines are read at once.
void count(Warp &warp, const std::vector<uint64_t> &chunks) {
  for (size_t first = 0; first < chunks.size(); first += warpSize) {
    Addresses places = {};
    const size_t some = std::min<size_t>(warpSize, chunks.size() - first);
    std::copy_n(chunks.begin() + static_cast<ptrdiff_t>(first), some, places.begin());
    countShared(warp, places, some == warpSize ? allLanes : (uint32_t(1) << some) - 1, chunk);
  }
}

/// The warp's 16 rows of A, and all of B.
struct FactorChunks {
  std::vector<uint64_t> a, b;
};

FactorChunks chunksOf(const Warp &warp, const WarpgroupProduct &product, const PendingProduct &pending) {
  const unsigned bytes = product.bits / 8;
  return {chunksOf(MatrixDescriptor::of(pending.a), product.majorA, firstRowOf(warp), rowsOfWarp, product.k,
                   bytes),
          chunksOf(MatrixDescriptor::of(pending.b), product.majorB, 0, product.columns, product.k, bytes)};
}

bool isPending(const Warp &warp, const std::vector<uint32_t> &slots) {
  for (const auto &group : warp.products.groups)
    for (const PendingProduct &pending : group)
      if (productOf(warp, *pending.instruction).d == slots)
        return true;
  return false;
}

std::vector<uint64_t> valuesOf(Warp &warp, const std::vector<uint32_t> &slots) {
  std::vector<uint64_t> values;
  for (uint32_t slot : slots)
    values.insert(values.end(), warp.slot(slot), warp.slot(slot) + warpSize);
  return values;
}

/// The first warp of a group says which products it begins, in order.
bool isSameAsGroups(Warp &warp, const PendingProduct &pending) {
  auto &log = warp.launch.warpgroupLogs[warp.number() / warpsOfGroup];
  const size_t number = warp.products.begun++;
  if (number == log.size())
    log.push_back({pending.instruction, pending.a, pending.b, {}});
  const PendingProduct &first = log[number];
  if (first.instruction == pending.instruction && first.a == pending.a && first.b == pending.b)
    return true;
  warp.fail(0, *pending.instruction, "is another product than another warp of its group begins");
  return false;
}

void finish(Warp &warp, const PendingProduct &pending) {
  const WarpgroupProduct &product = productOf(warp, *pending.instruction);
  const FactorChunks chunks = chunksOf(warp, product, pending);
  if (!read(warp, *pending.instruction, chunks.a) || !read(warp, *pending.instruction, chunks.b))
    return;
  const std::vector<uint64_t> before = pending.sums.empty() ? valuesOf(warp, product.c) : pending.sums;
  const std::vector<uint64_t> sums = sumsOf(warp, product, pending, before);
  for (size_t i = 0; i < product.d.size(); ++i)
    std::copy_n(sums.begin() + static_cast<ptrdiff_t>(i * warpSize), warpSize, warp.slot(product.d[i]));
}

} // namespace

void WarpgroupState::start() {
  groups.assign(1, {});
  isFenced = false;
  begun = 0;
}

void noteUnfenced(Warp &warp, unsigned lane, uint64_t address, uint32_t bytes) {
  if (warp.launch.kernel.warpgroupProducts.empty())
    return;
  warp.unfenced[lane].push_back({address, bytes});
  for (uint8_t *flag = warp.launch.shared.flags.data() + address, *end = flag + bytes; flag != end; ++flag)
    *flag |= isUnfenced;
}

void fenceProxy(Warp &warp, const Instruction &) {
  warp.lanes([&](unsigned lane) {
    for (const UnfencedBytes &written : warp.unfenced[lane])
      for (uint8_t *flag = warp.launch.shared.flags.data() + written.address, *end = flag + written.bytes;
           flag != end; ++flag)
        *flag &= static_cast<uint8_t>(~isUnfenced);
    warp.unfenced[lane].clear();
  });
}

void fenceProducts(Warp &warp, const Instruction &instruction) {
  if (warp.gather(instruction, allLanes))
    warp.products.isFenced = true;
}

void beginProduct(Warp &warp, const Instruction &instruction) {
  if (!warp.gather(instruction, allLanes) || !isWarpgroups(warp, instruction))
    return;
  const WarpgroupProduct &product = productOf(warp, instruction);
  PendingProduct pending{
      &instruction, *warp.slot(instruction.operands[0]), *warp.slot(instruction.operands[1]), {}};
  if (!warp.products.isFenced)
    return warp.fail(0, instruction, "has no wgmma.fence in front of it, behind what used its registers");
  if (!isReadable(warp, instruction, MatrixDescriptor::of(pending.a)) ||
      !isReadable(warp, instruction, MatrixDescriptor::of(pending.b)) || !isSameAsGroups(warp, pending))
    return;
  const FactorChunks chunks = chunksOf(warp, product, pending);
  if (!read(warp, instruction, chunks.a) || !read(warp, instruction, chunks.b))
    return;
  count(warp, chunks.a);
  if (warp.number() % warpsOfGroup == 0) {
    count(warp, chunks.b);
    ++warp.launch.counts.tensorInstructions;
  }
  if (!isPending(warp, product.c))
    pending.sums = valuesOf(warp, product.c);
  for (uint32_t slot : product.d)
    std::fill_n(warp.slot(slot), warpSize, nobodysSum);
  warp.products.groups.back().push_back(std::move(pending));
}

void commitProducts(Warp &warp, const Instruction &instruction) {
  if (warp.gather(instruction, allLanes))
    warp.products.groups.emplace_back();
}

void waitForProducts(Warp &warp, const Instruction &instruction) {
  if (!warp.gather(instruction, allLanes))
    return;
  auto &groups = warp.products.groups;
  const size_t committed = groups.size() - 1,
               done = committed - std::min<size_t>(committed, instruction.immediate);
  for (size_t group = 0; group < done; ++group)
    for (const PendingProduct &pending : groups[group])
      finish(warp, pending);
  groups.erase(groups.begin(), groups.begin() + static_cast<ptrdiff_t>(done));
  warp.products.isFenced = false;
}

void checkWarpgroups(RunningLaunch &launch, const std::vector<std::unique_ptr<Warp>> &warps) {
  for (const auto &warp : warps) {
    const auto &log = launch.warpgroupLogs[warp->number() / warpsOfGroup];
    if (warp->products.begun < log.size())
      return launch.fail(warp->number() * warpSize, *log[warp->products.begun].instruction,
                         "is begun by other warps of its group, but not by this one");
  }
}

} // namespace daedalus::cuda
