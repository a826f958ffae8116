// The targets among which placement chooses, as a user says them.

#ifndef DAEDALUS_TARGET_CHOICE_H
#define DAEDALUS_TARGET_CHOICE_H

#include "daedalus/Target/Target.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace daedalus {

/// "auto": all targets but those that are asked for by name; the name of one: that one alone; several of
/// these with commas between them: all of them together. Whatever they do not take is the fallback's.
class TargetChoice {
public:
  /// The error lists what there is, or says what stands twice.
  static Result<TargetChoice> parse(const std::string &text);

  /// The only target that was asked for; null where placement chooses.
  const Target *only() const { return single; }
  /// Whether a target is among those that placement chooses from; the fallback always is.
  bool includes(const Target &target) const { return target.isFallback() || chosen.contains(&target); }

private:
  const Target *single = nullptr;
  llvm::SmallPtrSet<const Target *, 4> chosen;
};

} // namespace daedalus

#endif
