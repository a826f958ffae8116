// Runs the packages of a folder that `cuda.sh prepare` made, on the GPU or with a driver that is loaded: says
// which give what they should, and how long they take.
//
//   cuda_bench FOLDER [--driver FILE.so] [--only TEXT] [--seed NUMBER] [--checks | --timings]
//
// A process of its own runs them, and another one goes on behind a package that fails, for an error of a GPU
// ends all that its process does.
#include "entries.h"
#include "measure.h"

#include "daedalus/runtime/drivers.h"
#include "daedalus/support/decimal.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <sys/wait.h>
#include <unistd.h>

namespace daedalus::test {
namespace {

constexpr unsigned mostSeconds = 100; ///< of one entry

struct Options {
  std::string folder, driver, only;
  uint64_t seed = uint64_t(std::chrono::system_clock::now().time_since_epoch().count());
  bool checks = true, timings = true;
};

struct Counts {
  size_t passed = 0, wrong = 0, failed = 0;
};

/// What a process says of an entry: 'p'assed, 'w'rong or 'f'ailed; or that nothing can run ('n'); with a
/// text.
struct Report {
  char verdict = 'f';
  std::string text;
};

Report reportOf(const Entry &entry, const Options &options, size_t number, const Rivals &rivals) {
  Random random(options.seed + number);
  const Result<Outcome> outcome =
      entry.isTimed() ? measure(options.folder, entry, random, rivals) : check(options.folder, entry);
  if (!outcome)
    return {'f', outcome.error()};
  return {outcome->wrong.empty() ? 'p' : 'w', outcome->wrong.empty() ? outcome->row : outcome->wrong};
}

/// In a child: entries from `first` on, until one fails.
void runEntries(const std::vector<Entry> &entries, size_t first, const Options &options, FILE *out) {
  Rivals rivals;
  if (options.driver.empty()) {
    Result<std::unique_ptr<Device>> device = Device::open();
    if (!device)
      return (void)std::fprintf(out, "n%s\n", device.error().c_str());
    rivals.device = std::move(*device);
    if (Result<std::unique_ptr<Blas>> opened = Blas::open(*rivals.device))
      rivals.blas = std::move(*opened);
  }
  for (size_t i = first; i < entries.size(); ++i) {
    alarm(mostSeconds);
    Report report = reportOf(entries[i], options, i, rivals);
    std::replace(report.text.begin(), report.text.end(), '\n', ' ');
    std::fprintf(out, "%c%s\n", report.verdict, report.text.c_str());
    std::fflush(out);
    if (report.verdict == 'f')
      return;
  }
}

void print(const Entry &entry, const Report &report, Counts &counts) {
  ++(report.verdict == 'p' ? counts.passed : report.verdict == 'w' ? counts.wrong : counts.failed);
  if (report.verdict == 'p' && entry.isTimed())
    std::cout << report.text << std::endl;
  else if (report.verdict != 'p')
    std::cout << (report.verdict == 'w' ? "wrong " : "failed ") << entry.name << ": " << report.text
              << std::endl;
}

/// One child; gives the number of the entry to go on with.
size_t runSome(const std::vector<Entry> &entries, size_t first, const Options &options, Counts &counts) {
  int ends[2];
  if (pipe(ends))
    return entries.size();
  std::cout.flush();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    FILE *out = fdopen(ends[1], "w");
    runEntries(entries, first, options, out);
    std::fflush(out);
    _exit(0); // what a GPU left behind is not taken apart
  }
  close(ends[1]);
  FILE *in = fdopen(ends[0], "r");
  size_t next = first;
  bool hasFailed = false;
  char *line = nullptr;
  size_t room = 0;
  for (ssize_t size; (size = getline(&line, &room, in)) > 0; ++next) {
    const Report report{line[0], std::string(line + 1, static_cast<size_t>(size) - 2)};
    if (report.verdict == 'n') {
      std::cerr << "cuda_bench: error: " << report.text << "\n";
      std::exit(1);
    }
    hasFailed = report.verdict == 'f';
    print(entries[next], report, counts);
  }
  std::free(line);
  std::fclose(in);
  int status = 0;
  waitpid(child, &status, 0);
  if (!hasFailed && next < entries.size()) // it died of the next one
    print(entries[next++], {'f', WIFSIGNALED(status) ? std::string(strsignal(WTERMSIG(status))) : "no word"},
          counts);
  return next;
}

int run(const Options &options) {
  if (!options.driver.empty())
    if (const auto loaded = runtime::loadDriver(options.driver); !loaded)
      return std::cerr << "cuda_bench: error: " << loaded.error() << "\n", 1;
  const Result<std::vector<Entry>> all = readEntries(options.folder);
  if (!all)
    return std::cerr << "cuda_bench: error: " << all.error() << "\n", 1;
  std::vector<Entry> entries;
  for (const Entry &entry : *all)
    if (entry.name.find(options.only) != std::string::npos &&
        (entry.isTimed() ? options.timings : options.checks))
      entries.push_back(entry);
  std::cout << "seed " << options.seed << "\n";
  if (options.timings)
    std::cout << rowHeader << "\n";
  Counts counts;
  for (size_t next = 0; next < entries.size();)
    next = runSome(entries, next, options, counts);
  std::cout << "passed " << counts.passed << ", wrong " << counts.wrong << ", failed " << counts.failed
            << "\n";
  return counts.wrong + counts.failed != 0 || entries.empty();
}

/// Nothing where they are none.
std::optional<Options> parse(const std::vector<std::string> &words) {
  Options options;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string &word = words[i];
    const bool hasValue = i + 1 < words.size();
    if (word == "--checks" || word == "--timings")
      (word == "--checks" ? options.timings : options.checks) = false;
    else if (word == "--driver" && hasValue)
      options.driver = words[++i];
    else if (word == "--only" && hasValue)
      options.only = words[++i];
    else if (word == "--seed" && hasValue && parseDecimal(words[i + 1]))
      options.seed = *parseDecimal(words[++i]);
    else if (word[0] != '-' && options.folder.empty())
      options.folder = word;
    else
      return std::nullopt;
  }
  return options.folder.empty() ? std::nullopt : std::optional<Options>(options);
}

} // namespace
} // namespace daedalus::test

int main(int argc, char **argv) {
  const auto options = daedalus::test::parse({argv + 1, argv + argc});
  if (!options) {
    std::cerr << "usage: cuda_bench FOLDER [--driver FILE.so] [--only TEXT] [--seed NUMBER] [--checks | "
                 "--timings]\n";
    return 2;
  }
  return daedalus::test::run(*options);
}
