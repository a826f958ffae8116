// Plans: those of all benchmark models (tests/plans) replayed to the same words, edits by hand, and random
// ones.
//   DAEDALUS_PLANS=all     compare every replayed package with that of the planner, not only the small ones
//   DAEDALUS_PLANS=write   write tests/plans anew
//   DAEDALUS_PLAN_EDITS=N  random edits (300)
#include "plan_program.h"

#include "daedalus/Pipelines/Compile.h"
#include "daedalus/Target/Accelerator/Figures.h"
#include "daedalus/Target/Accelerator/Settings.h"
#include "daedalus/Target/States.h"
#include "daedalus/runtime/session.h"
#include "daedalus/support/hash.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <regex>
#include <sstream>

namespace daedalus::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const fs::path source = DAEDALUS_SOURCE_DIR, plans = source / "tests" / "plans";

/// Whose plan of the program has all that is edited: with a window, GEMM takes all tiles of its products.
const char *const Edited = "default,inp_interleave=1";

bool isAsked(const char *what) {
  const char *value = std::getenv("DAEDALUS_PLANS");
  return value && value == std::string(what);
}

CompileOptions optionsFor(const std::string &machine, const std::string &plan = "") {
  CompileOptions options;
  options.settings.of<accelerator::Settings>().machine = *isa::loadMachine(machine);
  options.schedule = plan;
  return options;
}

uint64_t hashOfWords(const package::Package &package) {
  uint64_t hash = fnv1aStart;
  for (const package::AcceleratorProgram &program : package.programs)
    hash = fnv1a(program.words, hash);
  return hash;
}

/// "C1 default", with the model's path.
struct Row {
  std::string name, machine, model;
};
std::ostream &operator<<(std::ostream &stream, const Row &row) {
  return stream << row.name << " " << row.machine;
}

bool isSmall(const std::string &name) {
  return name[0] == 'C' || name == "digits" || name == "squeezenet";
}

std::vector<Row> rows(bool onlySmall = false) {
  std::map<std::string, fs::path> models = {{"digits", source / "examples" / "digits" / "digits.onnx"}};
  for (const char *kind : {"convs", "networks"})
    if (const fs::path folder = fs::path(DAEDALUS_BINARY_DIR) / "models" / kind; fs::exists(folder))
      for (const auto &entry : fs::directory_iterator(folder))
        models[entry.path().stem()] = entry.path();
  std::vector<Row> all;
  for (const auto &[name, model] : models)
    if (!onlySmall || isSmall(name))
      for (const char *machine : {"default", "vta"})
        all.push_back({name, machine, model});
  return all;
}

/// A line of words.txt: the hash of the words, and what the planner did for them.
struct Line {
  std::string hash = "0";
  uint64_t tried = 0, tiles = 0;
};
Line recorded(const Row &row) {
  std::ifstream list(plans / "words.txt");
  Line line;
  for (std::string name, machine; list >> name >> machine >> line.hash >> line.tried >> line.tiles;)
    if (name == row.name && machine == row.machine)
      return line;
  return {};
}

class Recorded : public ::testing::TestWithParam<Row> {
protected:
  fs::path file() const { return plans / GetParam().machine / (GetParam().name + ".mlir"); }

  /// The hash of words.txt, a line a row.
  uint64_t recordedHash() const { return std::stoull(recorded(GetParam()).hash, nullptr, 16); }

  void write() const {
    fs::create_directories(plans / GetParam().machine);
    auto plan = emitLevel(GetParam().model, optionsFor(GetParam().machine), "schedule");
    ASSERT_TRUE(plan) << plan.error();
    std::ofstream(file()) << plan->substr(0, plan->find("cpu.schedule")); // which depends on the host
    auto direct = compileModel(GetParam().model, optionsFor(GetParam().machine));
    ASSERT_TRUE(direct) << direct.error();
    char hash[20];
    std::snprintf(hash, sizeof hash, "%016lx", hashOfWords(direct->package));
    std::ofstream(plans / "words.txt", std::ios::app)
        << GetParam() << " " << hash << " " << direct->states->effort().tried << " "
        << direct->states->effort().tiles << "\n";
  }
};

TEST_P(Recorded, ReplaysToTheSameWords) {
  if (isAsked("write"))
    return write();
  auto replayed = compileModel(GetParam().model, optionsFor(GetParam().machine, file()));
  ASSERT_TRUE(replayed) << replayed.error();
  EXPECT_EQ(hashOfWords(replayed->package), recordedHash());
}

class Emitted : public ::testing::TestWithParam<Row> {};

TEST_P(Emitted, ReplaysToThePackageOfThePlanner) {
  auto plan = emitLevel(GetParam().model, optionsFor(GetParam().machine), "schedule");
  ASSERT_TRUE(plan) << plan.error();
  const Folder folder("recorded");
  auto direct = compileModel(GetParam().model, optionsFor(GetParam().machine));
  auto replayed =
      compileModel(GetParam().model, optionsFor(GetParam().machine, folder.write("plan.mlir", *plan)));
  ASSERT_TRUE(direct && replayed) << (replayed ? direct.error() : replayed.error());
  EXPECT_EQ(package::writePackage(direct->package), package::writePackage(replayed->package));
  EXPECT_EQ(accelerator::figuresOf(*direct->states).expectedCycles,
            accelerator::figuresOf(*replayed->states).expectedCycles);
  EXPECT_LE(direct->states->effort().tried, recorded(GetParam()).tried);
  EXPECT_LE(direct->states->effort().tiles, recorded(GetParam()).tiles);
}

/// The large ones, whose packages only the nightly run compares.
std::vector<Row> largeRows() {
  std::vector<Row> large;
  for (const Row &row : rows())
    if (!isSmall(row.name) && row.machine == "default")
      large.push_back(row);
  return large;
}

class Large : public ::testing::TestWithParam<Row> {};

TEST_P(Large, AreNotTriedInMoreWaysThanRecorded) {
  auto direct = compileModel(GetParam().model, optionsFor(GetParam().machine));
  ASSERT_TRUE(direct) << direct.error();
  EXPECT_EQ(hashOfWords(direct->package), std::stoull(recorded(GetParam()).hash, nullptr, 16));
  EXPECT_LE(direct->states->effort().tried, recorded(GetParam()).tried);
  EXPECT_LE(direct->states->effort().tiles, recorded(GetParam()).tiles);
}

const auto nameOf = [](const ::testing::TestParamInfo<Row> &info) {
  return info.param.name + "_" + info.param.machine;
};
INSTANTIATE_TEST_SUITE_P(Models, Recorded, ::testing::ValuesIn(rows()), nameOf);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Large); // where the models were not made
INSTANTIATE_TEST_SUITE_P(Models, Large, ::testing::ValuesIn(largeRows()), nameOf);
INSTANTIATE_TEST_SUITE_P(Models, Emitted, ::testing::ValuesIn(rows(!isAsked("all"))), nameOf);

/// One program, whose plan is edited: what the edited program computes, or why there is none.
class Edits : public ::testing::Test {
protected:
  Edits() : program(folder.write("program.mlir", planProgram())) {
    auto plan = emitLevel(program, optionsFor(Edited), "schedule");
    auto compiled = compileModel(program, optionsFor(Edited));
    EXPECT_TRUE(plan && compiled) << (compiled ? plan.error() : compiled.error());
    text = *plan;
    words = hashOfWords(compiled->package);
    expected = outputOf(compiled->package);
  }

  struct Outcome {
    std::string error;
    bool isChanged = false, isRight = false;
  };

  Outcome compile(const std::string &plan) {
    auto compiled = compiledWith(plan);
    if (!compiled)
      return {compiled.error()};
    return {"", hashOfWords(compiled->package) != words, outputOf(compiled->package) == expected};
  }

  Result<Compiled> compiledWith(const std::string &plan) {
    return compileModel(program, optionsFor(Edited, folder.write("plan.mlir", plan)));
  }

  uint64_t wordsOf(const std::string &plan) {
    auto compiled = compiledWith(plan);
    EXPECT_TRUE(compiled) << compiled.error();
    return compiled ? hashOfWords(compiled->package) : 0;
  }

  std::vector<uint8_t> outputOf(const package::Package &package) {
    auto session = runtime::Session::create(package, {});
    EXPECT_TRUE(session) << session.error();
    std::vector<runtime::Tensor> tensors;
    std::mt19937 random(5);
    for (const package::Value &input : package.functions[0].inputs) {
      int64_t bytes = 1;
      for (int64_t size : input.type.shape)
        bytes *= size;
      std::vector<uint8_t> data(bytes);
      for (uint8_t &byte : data)
        byte = random();
      tensors.push_back({input.name, input.type, data});
    }
    auto result = (*session)->run(0, tensors);
    EXPECT_TRUE(result) << result.error();
    return result ? result->outputs[0].data : std::vector<uint8_t>();
  }

  /// A plan with the first match of `pattern` replaced; fails where nothing matches.
  static std::string edited(const std::string &plan, const std::string &pattern, const std::string &by) {
    const std::regex expression(pattern);
    EXPECT_TRUE(std::regex_search(plan, expression)) << pattern << " is not in\n" << plan;
    return std::regex_replace(plan, expression, by, std::regex_constants::format_first_only);
  }
  std::string edited(const std::string &pattern, const std::string &by) { return edited(text, pattern, by); }

  const Folder folder{"plan_edits"};
  const std::string program;
  std::string text;
  uint64_t words = 0;
  std::vector<uint8_t> expected;
};

/// A plan of the program, whatever the planner chooses.
const char *const somePlan = R"(dae.plan format 1 {
  dae.group lag 1 {
    dae.kernel @stem "b28e0265499501f7" { dae.fold columns dae.tile rows 6 columns 3 channels 2 window 3 x 1 lanes 1 }
    dae.kernel @pool "1804bd8d94cf7d36" { dae.tile rows 3 columns 3 channels 2 window 3 x 3 lanes 1 }
  }
  dae.kernel @body "5b500be0ed80d019" { dae.fuse @sum "1c5c9a76bbfbe1ed" dae.tile rows 2 columns 6 channels 1 window 3 x 3 lanes 2 }
  dae.group lag 1 {
    dae.kernel @left "6aee07cdd70a6e7d" { dae.tile rows 1 columns 18 channels 2 window 1 x 1 lanes 2 }
    dae.kernel @right "83c3a2a5768aeaf8" { dae.tile rows 3 columns 6 channels 1 window 3 x 3 lanes 2 }
    dae.kernel @concat part 2 "cf034f8eb2169e29" { dae.tile rows 1 columns 18 channels 1 window 1 x 1 lanes 1 }
  }
  dae.group lag 1 {
    dae.kernel @head "c3647c25f34e51d9" { dae.tile rows 1 columns 9 channels 3 window 1 x 1 lanes 3 }
    dae.kernel @depthwise "536db91fa2bd0f7a" { dae.tile rows 3 columns 3 channels 3 window 3 x 3 lanes 1 dae.split vector 11 }
  }
  dae.kernel @mean "a834262fd5e6965d" { dae.tile rows 1 columns 1 channels 3 window 1 x 36 lanes 1 }
}
)";

/// Edits by hand of that plan that give another program, which computes the same.
struct Edit {
  const char *what, *pattern, *by;
};
const std::vector<Edit> running = {
    {"a tile size", "(@body.*)rows [0-9]+", "$1rows 3"},
    {"an order", "(@body.*) \\}", "$1 dae.reorder channels }"},
    {"a group split", "dae.group lag 1 \\{\n(.*@left.*\n.*@right.*\n.*@concat.*\n) *\\}", "$1"},
    {"a lag", "lag 1( \\{\n.*@head)", "lag 0$1"},
    {"a fusion dropped", "dae.fuse @sum \"[0-9a-f]*\" ", ""},
    {"a fold dropped", "dae.fold columns (.*) window 3 x 1", "$1 window 3 x 3"},
    {"another fold", "dae.fold columns (.*) window 3 x 1 lanes 1", "dae.fold window $1 window 1 x 1 lanes 2"},
    {"all tiles on GEMM", " dae.split vector [0-9]+", ""},
    {"all tiles on VECTOR", "split vector [0-9]+", "split vector 16"},
    {"the first tile by blocks", "(@mean.*) \\}", "$1 dae.ramp }"},
    {"another order of kernels", "(.*@left.*\n)(.*@right.*\n)", "$2$1"},
    {"another cut of a reduction", "(@right.*) window 3 x 3 lanes 2", "$1 window 1 x 3 lanes 1"},
};

TEST_F(Edits, OfManyKindsGiveTheSameBytes) {
  words = wordsOf(somePlan);
  for (const Edit &edit : running) {
    const Outcome outcome = compile(edited(somePlan, edit.pattern, edit.by));
    EXPECT_EQ(outcome.error, "") << edit.what;
    EXPECT_TRUE(outcome.isChanged) << edit.what;
    EXPECT_TRUE(outcome.isRight) << edit.what;
  }
}

TEST_F(Edits, KernelsThatAreLeftOutArePlanned) {
  for (const char *name : {"body", "mean"}) {
    const Outcome outcome = compile(edited(std::string(".*@") + name + " .*\n", ""));
    EXPECT_EQ(outcome.error, "") << name;
    EXPECT_FALSE(outcome.isChanged) << name;
  }
  const Outcome nothing = compile("dae.plan format 1 {\n}\n");
  EXPECT_EQ(nothing.error, "");
  EXPECT_FALSE(nothing.isChanged);
  const Outcome one =
      compile("dae.plan format 1 {\n  dae.kernel @right { dae.tile rows 1 columns 99 channels 1 "
              "window 99 x 99 lanes 99 }\n}\n");
  EXPECT_EQ(one.error, "");
  EXPECT_TRUE(one.isChanged && one.isRight);
}

TEST_F(Edits, ThePlanThatTheyChangeGivesTheSameBytes) {
  const Outcome outcome = compile(somePlan);
  EXPECT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.isRight);
}

/// Edits of it that cannot be: the line that says so, and a part of the sentence.
struct Refusal {
  const char *pattern, *by;
  int line;
  const char *sentence;
};
const std::vector<Refusal> refused = {
    {"format 1", "format 2", 1, "is a plan of format 2; this compiler reads format 1"},
    {"format 1 ", "format 1 machine \"default\" core \"0000000000000000\" ", 1,
     "is a plan for machine 'default' with core 00"},
    {"rows 2 columns 6", "rows 2 columns 0", 6, "has columns 0; expected 1 to"},
    {"(@body.*)window 3", "$1window 3000000000", 6, "has window rows 3000000000"},
    {"@body", "@boddy", 6, "has 'sum' in the tiles of kernel @boddy, which is not in its stream"},
    {"@mean", "@means", 16,
     "names kernel @means (or a call or a part of it) that does not run on the accelerator"},
    {"@mean", "@mean call 1", 16, "names kernel @mean (or a call"},
    {"@concat part 2", "@concat part 1", 10,
     "has kernel 'concat' in a group with 'left', whose stream it is not in"},
    {"@right \"8", "@right \"0", 9,
     "has fingerprint 03c3a2a5768aeaf8 for kernel 'right', whose blocks have 8"},
    {"@right \"8", "@right \"", 9, "has the fingerprint '3c3a2a5768aeaf8'; expected 16 digits"},
    {"lag 1", "lag -1", 2, "has lag -1; expected 0 to"},
    {".*@pool.*\n", "", 2, "has a group of 1 kernels; expected 2 to 8"},
    {"(.*@stem.*\n)(.*@pool.*\n)", "$2$1", 3, "runs kernel 'pool' before 'stem', whose result it reads"},
    {"(.*@body.*\n)((.*\n)*)(.*@mean.*\n)", "$4$1$2", 6,
     "runs kernel 'mean' before 'depthwise', whose result"},
    {"(.*@body.*\n)", "$1$1", 7, "names kernel 'body' again; line 6 has it already"},
    {"(@left.*) \\}", "$1 dae.split vector 3 }", 8,
     "gives VECTOR 3 of 16 tiles of kernel 'left'; expected 0"},
    {"split vector [0-9]+", "split vector 17", 14, "has sixteenths for VECTOR 17; expected 0 to 16"},
    {"dae.fuse @sum( \"[0-9a-f]*\")", "dae.fuse @sum$1 operand 1", 6,
     "has kernel 'sum' in the tiles of 'body'"},
    {"dae.fuse @sum \"[0-9a-f]*\"", "dae.fuse @left", 8, "names kernel 'left' again; line 6 has it"},
    {"(@head.*) \\}", "$1 dae.fuse @mean }", 16, "names kernel 'mean' again; line 13 has it already"},
    {"dae.tile (.*)\\}\n *dae.group", "dae.tile $1 dae.tile $1 }\n dae.group", 6, "'dae.tile' occurs twice"},
    {"(@mean \".*\" \\{) dae.tile.*\\}", "$1 }", 16, "has no dae.tile in kernel 'mean'"},
    {"(@right.*\\{)", "$1 dae.fold window", 9,
     "cannot tile kernel 'right' so: its schedule folds kernel positions"},
    {"(.*)dae.tile( rows 1 columns 1 .*)", "$1dae.kernel$2", 16, "expected attribute value"},
    {"dae.reorder|dae.tile rows 2", "dae.tile row 2", 6, "expected 'rows'"},
};

TEST_F(Edits, ThatCannotBeAreRefusedAtTheirLine) {
  for (const Refusal &edit : refused) {
    const std::string plan = edited(somePlan, edit.pattern, edit.by);
    const Outcome outcome = compile(plan);
    EXPECT_THAT(outcome.error, HasSubstr("plan.mlir:" + std::to_string(edit.line) + ": ")) << edit.sentence;
    EXPECT_THAT(outcome.error, HasSubstr(edit.sentence));
  }
}

TEST_F(Edits, FilesThatAreNoPlansAreRefused) {
  EXPECT_THAT(compile("").error, HasSubstr("plan.mlir has no schedule; expected "));
  EXPECT_THAT(compile(text + text).error,
              HasSubstr("plan.mlir:16: 'dae.plan' occurs twice in the schedule file"));
  EXPECT_THAT(compile(planProgram()).error,
              HasSubstr("plan.mlir:1: 'func.func' is in the schedule file; expected "));
  EXPECT_THAT(compile("dae.plan format 1 attributes {format = 3} {}").error, HasSubstr("plan.mlir"));
  EXPECT_THAT(compile("\"dae.plan\"() ({}) : () -> ()").error, HasSubstr("plan.mlir:1: "));
  EXPECT_THAT(compile(std::string(5000, '{')).error, HasSubstr("plan.mlir"));
}

/// A tile that the machine has no room for, on one that is small.
TEST_F(Edits, TilesThatDoNotFitAreRefused) {
  const std::string plan = folder.write(
      "large.mlir",
      "dae.plan format 1 {\n  dae.kernel @right { dae.tile rows 6 columns 6 channels 12 window 3 x 3 "
      "lanes 8 }\n}\n");
  auto compiled = compileModel(program, optionsFor("tiny", plan));
  ASSERT_FALSE(compiled);
  EXPECT_THAT(compiled.error(), HasSubstr("large.mlir:2: cannot tile kernel 'right' so: a tile needs "));
  EXPECT_THAT(compiled.error(), HasSubstr("machine tiny has "));
}

/// Plans of several streams: kernels are found in whichever they run in.
TEST_F(Edits, PlansOfSeveralStreamsAreReplayed) {
  CompileOptions options = optionsFor("default");
  options.stepSize = 40;
  auto direct = compileModel(program, options);
  auto plan = emitLevel(program, options, "schedule");
  ASSERT_TRUE(direct && plan);
  ASSERT_GT(direct->package.programs.size(), 1u);
  options.schedule = folder.write("streams.mlir", *plan);
  auto replayed = compileModel(program, options);
  ASSERT_TRUE(replayed) << replayed.error();
  EXPECT_EQ(package::writePackage(direct->package), package::writePackage(replayed->package));
}

/// Random edits of a text of lines: numbers, words taken from elsewhere in it, lines and characters.
class Mutator {
public:
  Mutator(const std::string &text, uint32_t seed) : text(text), random(seed) {}

  std::string run() {
    for (int edits = 1 + below(3); edits > 0; --edits)
      edit();
    return text;
  }

private:
  size_t below(size_t most) { return random() % std::max<size_t>(most, 1); }

  void edit() {
    switch (below(8)) {
    case 0:
    case 1:
    case 2:
      return replaceOne(std::regex(" [0-9]+"), " " + number());
    case 3:
      return replaceOne(word, oneOf(word));
    case 4:
      return replaceOne(std::regex("@[a-z]+"), oneOf(std::regex("@[a-z]+")));
    case 5:
      return editLines();
    case 6:
      return replaceOne(std::regex("dae\\.(split|fuse|fold|ramp|reorder|hand_over)[^d}]*"), "");
    default:
      text.erase(below(text.size()), 1 + below(3));
    }
  }

  std::string number() {
    static const char *const special[] = {
        "0", "-1", "16", "17", "65535", "2147483648", "9223372036854775807", "99999999999999999999"};
    return below(4) ? std::to_string(below(12)) : special[below(8)];
  }

  std::vector<std::pair<size_t, size_t>> placesOf(const std::regex &pattern) const {
    std::vector<std::pair<size_t, size_t>> places;
    for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
      places.push_back({match->position(), match->length()});
    return places;
  }

  std::string oneOf(const std::regex &pattern) {
    const auto places = placesOf(pattern);
    if (places.empty())
      return "";
    const auto [at, length] = places[below(places.size())];
    return text.substr(at, length);
  }

  void replaceOne(const std::regex &pattern, const std::string &by) {
    const auto places = placesOf(pattern);
    if (places.empty())
      return;
    const auto [at, length] = places[below(places.size())];
    text.replace(at, length, by);
  }

  void editLines() {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
      lines.push_back(line);
    if (lines.empty())
      return;
    const size_t one = below(lines.size()), other = below(lines.size());
    switch (below(4)) {
    case 0:
      lines.erase(lines.begin() + one);
      break;
    case 1:
      lines.insert(lines.begin() + other, std::string(lines[one]));
      break;
    case 2:
      std::swap(lines[one], lines[std::min(one + 1, lines.size() - 1)]);
      break;
    default:
      std::swap(lines[one], lines[other]);
    }
    text.clear();
    for (const std::string &line : lines)
      text += line + "\n";
  }

  const std::regex word{"[a-z.]+"};
  std::string text;
  std::mt19937 random;
};

TEST_F(Edits, AtRandomGiveTheSameBytesOrASentence) {
  const char *asked = std::getenv("DAEDALUS_PLAN_EDITS");
  const unsigned count = asked ? std::stoul(asked) : 300;
  unsigned ran = 0, changed = 0;
  for (unsigned seed = 0; seed < count; ++seed) {
    const std::string plan = Mutator(text, seed).run();
    const Outcome outcome = compile(plan);
    if (outcome.error.empty()) {
      ++ran, changed += outcome.isChanged;
      EXPECT_TRUE(outcome.isRight) << "seed " << seed << ":\n" << plan;
    } else {
      EXPECT_THAT(outcome.error, ::testing::ContainsRegex("plan.mlir:[0-9]+: [^\n]+$"))
          << "seed " << seed << ":\n"
          << plan;
    }
  }
  EXPECT_GT(ran, count / 8);
  EXPECT_GT(changed, count / 12);
  RecordProperty("ran", ran);
  RecordProperty("changed", changed);
}

} // namespace
} // namespace daedalus::testing
