// See Candidates.h.

#include "Candidates.h"

using namespace mlir;

namespace daedalus {
namespace {

/// The targets that take the kernel, and the fallback with the reasons of all others.
std::vector<Candidate> candidatesFor(func::FuncOp kernel, const TargetChoice &asked, TargetStates &states) {
  std::vector<Candidate> all;
  std::string reasons;
  const auto isLeftOut = [&](const auto &target) { return target->isFallback() || !asked.includes(*target); };
  const auto count = llvm::count_if(targets(), [&](const auto &target) { return !isLeftOut(target); });
  for (const auto &target : targets()) {
    if (isLeftOut(target))
      continue;
    const Support support = target->supports(kernel, *states.of(*target));
    if (support.isTaken)
      all.push_back({target.get(), support.reason, support.size, std::nullopt});
    else
      reasons += (reasons.empty() ? "" : "; ") + (count > 1 ? target->name() + ": " : "") + support.reason;
  }
  all.push_back({&fallbackTarget(), reasons, 0, std::nullopt});
  return all;
}

Candidate onFallback(std::string reason) {
  return {&fallbackTarget(), std::move(reason), 0, std::nullopt};
}

} // namespace

FailureOr<std::vector<Candidate>> candidatesOf(func::FuncOp kernel, const std::optional<HostWork> &host,
                                               const TargetChoice &asked, bool isPriced,
                                               TargetStates &states) {
  const Target &fallback = fallbackTarget();
  const Target *target = asked.only();
  if (target == &fallback)
    return std::vector<Candidate>{onFallback("asked for with target " + fallback.name())};
  if (host && host->isBoundary)
    return std::vector<Candidate>{onFallback(host->reason)};
  if (!target && !isPriced && movesSingleElements(kernel))
    return std::vector<Candidate>{onFallback("moves elements")};
  if (!target) {
    std::vector<Candidate> all = candidatesFor(kernel, asked, states);
    if (host)
      all.back().reason = host->reason;
    return all;
  }
  const Support support = target->supports(kernel, *states.of(*target));
  const std::string &reason = support.isTaken || !host ? support.reason : host->reason;
  if (support.isTaken)
    return std::vector<Candidate>{{target, reason, support.size, std::nullopt}};
  return emitError(kernel.getLoc()) << "cannot run on " << target->title(*states.of(*target))
                                    << (StringRef(reason).starts_with("it") ? ": " : ": it ") << reason
                                    << "; use target auto to run it on "
                                    << fallback.title(*states.of(fallback));
}

} // namespace daedalus
