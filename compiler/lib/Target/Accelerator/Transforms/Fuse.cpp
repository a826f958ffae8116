// Fuse: a kernel without a reduction runs in the tiles of the product that it alone reads. Its expression
// takes the product's expression in place of the input, so that what follows the product is one expression
// again, and selection covers it as if it had been written so.

#include "Transforms/Transforms.h"

#include "Kernels/Select.h"

#include "llvm/ADT/STLExtras.h"

namespace daedalus::accelerator {
namespace {

/// Of two columns in one, channels have two values.
bool hasSameChannels(const Kernel &producer, const Kernel &consumer) {
  return !producer.isPaired && producer.window.oc == consumer.window.oc;
}

/// Constants of a value a channel, which `kernel` has behind its own; arguments of the consumer's expression.
void appendChannels(Kernel &kernel, const Tail &consumer, std::vector<ExprId> &arguments) {
  const auto known = consumer.all.argumentsOf(consumer.result);
  arguments.resize(Tail::FirstConstant + consumer.channels.size());
  for (auto [k, values] : llvm::enumerate(consumer.channels)) {
    const auto used = known.find(Tail::FirstConstant + k);
    if (used == known.end())
      continue;
    arguments[used->first] =
        kernel.tail.all.argument(Tail::FirstConstant + kernel.tail.channels.size(), used->second.bits);
    kernel.tail.channels.push_back(values);
  }
}

} // namespace

std::optional<Kernel> fused(const Kernel &producer, const Kernel &consumer, size_t input) {
  if (consumer.combiner || consumer.repeatH != 1 || consumer.repeatW != 1 || !consumer.parts.empty() ||
      !isPlain(consumer) || consumer.resultBytes() != 1 || !producer.combiner || producer.isFused)
    return std::nullopt;
  if (!consumer.tail.channels.empty() && !hasSameChannels(producer, consumer))
    return std::nullopt;
  Kernel kernel = producer;
  Tail &tail = kernel.tail;
  const ExprId firstFused = tail.all.size();
  std::vector<ExprId> arguments(consumer.inputs.size(), 0);
  for (size_t k = 0; k < consumer.inputs.size(); ++k) {
    arguments[k] = k == input ? tail.result : tail.all.argument(kernel.inputs.size(), 8);
    if (k != input) {
      kernel.inputs.push_back(consumer.inputs[k]);
      kernel.layouts.push_back(std::nullopt);
    }
  }
  appendChannels(kernel, consumer.tail, arguments);
  tail.result = tail.all.substitute(consumer.tail.all, consumer.tail.result, arguments);
  kernel.isFused = true;
  return selectStages(kernel, firstFused) ? std::optional(std::move(kernel)) : std::nullopt;
}

} // namespace daedalus::accelerator
