// Packages with one field changed and their checksums made right again: each is refused with a sentence, or
// runs and gives what it says, as the plain interpreter reads it. DAEDALUS_MUTANTS packages of each kind (CI:
// 40), from DAEDALUS_SEED on; each runs in a process that may die, so a signal is a count and not the end.

#include "../unit/runtime/accelerator_package.h"
#include "fields.h"
#include "plain.h"

#include "daedalus/runtime/session.h"
#include "daedalus/support/input_file.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

using namespace daedalus;
using namespace daedalus::mutants;
using package::Package;

namespace {

/// What became of a mutant; the exit status of the process that ran it.
enum class Fate { Refused, RefusedByTheRun, Right, Wrong };

uint64_t setting(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

std::vector<Bytes> inputsFor(const package::Function &function) {
  Random random(7);
  std::vector<Bytes> inputs;
  for (const package::Value &value : function.inputs) {
    inputs.emplace_back(byteSize(value.type));
    for (uint8_t &byte : inputs.back())
      byte = static_cast<uint8_t>(random() % 64);
  }
  return inputs;
}

Result<void> doubleBytes(Span<const runtime::TensorView> inputs, Span<const runtime::TensorView> outputs) {
  for (const runtime::TensorView &out : outputs)
    for (uint64_t i = 0; i < byteSize(*out.type); ++i)
      static_cast<uint8_t *>(out.data)[i] = inputs.empty() || i >= byteSize(*inputs[0].type)
                                                ? 0
                                                : 2 * static_cast<uint8_t *>(inputs[0].data)[i];
  return {};
}

Fate runFunction(runtime::Session &session, const TrustedKernels &kernels, size_t index) {
  const package::Function &function = session.package().functions[index];
  const std::vector<Bytes> inputs = inputsFor(function);
  std::vector<runtime::Tensor> tensors;
  for (size_t i = 0; i < inputs.size(); ++i)
    tensors.push_back({"", function.inputs[i].type, inputs[i]});
  auto result = session.run(index, tensors);
  const PlainRun plain = runPlainly(session.package(), kernels, function, inputs);
  if (!result)
    return Fate::RefusedByTheRun;
  if (!plain.finished || plain.outputs.size() != result->outputs.size())
    return Fate::Wrong;
  for (size_t i = 0; i < plain.outputs.size(); ++i)
    if (plain.outputs[i] != result->outputs[i].data)
      return Fate::Wrong;
  return Fate::Right;
}

Fate fateOf(const Package &mutant, const TrustedKernels &kernels, const std::string &engine) {
  const std::vector<uint8_t> file = writePackage(mutant);
  auto read = package::readPackage(file);
  if (!read)
    return read.error().empty() ? Fate::Wrong : Fate::Refused;
  if (writePackage(*read) != file)
    return Fate::Wrong;
  runtime::SessionOptions options;
  options.engine = engine;
  options.threads = 3;
  options.drivers[test::vectorMachineName] = test::vectorMachineDriver();
  auto session = runtime::Session::create(file, options);
  if (!session)
    return session.error().empty() ? Fate::Wrong : Fate::Refused;
  for (const std::string &name : mutant.externals)
    (void)(*session)->registerExternal(name, doubleBytes);
  Fate fate = Fate::Right;
  for (size_t i = 0; i < mutant.functions.size() && fate == Fate::Right; ++i)
    fate = runFunction(**session, kernels, i);
  return fate;
}

struct Tally {
  uint64_t refused = 0, refusedByTheRun = 0, right = 0, wrong = 0, signals = 0;
};

/// In a process of its own: its exit status, or -1 where it was ended by a signal or a sanitizer.
int statusOf(const std::function<Fate()> &run) {
  const pid_t child = fork();
  if (child == 0)
    _exit(10 + static_cast<int>(run()));
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) - 10 : -1;
}

void count(Tally &tally, int status, const std::string &what) {
  switch (status) {
  case static_cast<int>(Fate::Refused):
    ++tally.refused;
    break;
  case static_cast<int>(Fate::RefusedByTheRun):
    ++tally.refusedByTheRun;
    break;
  case static_cast<int>(Fate::Right):
    ++tally.right;
    break;
  case static_cast<int>(Fate::Wrong):
    ++tally.wrong;
    ADD_FAILURE() << what << " ran and gave something else than it says";
    break;
  default:
    ++tally.signals;
    ADD_FAILURE() << what << " ended the process";
  }
}

Package compiled(const std::string &name) {
  auto bytes = readFile(DAEDALUS_MUTANTS_PACKAGES "/" + name + ".dae", input::Package);
  EXPECT_TRUE(bytes) << bytes.error();
  auto package = package::readPackage(*bytes);
  EXPECT_TRUE(package) << package.error();
  return *package;
}

struct Kind {
  const char *name;
  Package (*make)();
};

const Kind kinds[] = {
    {"accelerator", [] { return compiled("accelerator"); }},
    {"cpu", [] { return compiled("cpu"); }},
    {"mixed", [] { return compiled("mixed"); }},
    {"handmade", [] { return test::runnablePackage(); }},
    {"shared", [] { return test::sharedPackage(); }},
    {"device", [] { return test::devicePackage(); }},
};

class Mutants : public ::testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Package, Mutants, ::testing::ValuesIn(kinds),
                         [](const auto &info) { return info.param.name; });

TEST_P(Mutants, AreRefusedOrRight) {
  const Package original = GetParam().make();
  const TrustedKernels kernels(original);
  const uint64_t seed = setting("DAEDALUS_SEED", 1), number = setting("DAEDALUS_MUTANTS", 40);
  ASSERT_EQ(statusOf([&] { return fateOf(original, kernels, "systemc"); }), static_cast<int>(Fate::Right));
  Tally tally;
  for (uint64_t i = 0; i < number; ++i) {
    Random random(static_cast<Random::result_type>(seed + i));
    Package mutant = original;
    const std::string field = mutate(mutant, random);
    const char *engine = i % 2 ? "systemc" : "functional";
    count(tally, statusOf([&] { return fateOf(mutant, kernels, engine); }),
          "seed " + std::to_string(seed + i) + ", " + field + ",");
  }
  std::printf(
      "%s: %llu packages, %llu refused, %llu refused by the run, %llu right, %llu wrong, %llu signals\n",
      GetParam().name, static_cast<unsigned long long>(number),
      static_cast<unsigned long long>(tally.refused), static_cast<unsigned long long>(tally.refusedByTheRun),
      static_cast<unsigned long long>(tally.right), static_cast<unsigned long long>(tally.wrong),
      static_cast<unsigned long long>(tally.signals));
}

} // namespace
