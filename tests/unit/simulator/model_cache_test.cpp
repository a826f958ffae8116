// Where models of the RTL are kept.
#include "daedalus/support/cache_folder.h"
#include "rtl/model_cache.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <pwd.h>
#include <unistd.h>

namespace daedalus::sim::rtl {
namespace {

std::string folderFor(const char *cache, const char *xdg, const char *home) {
  const auto set = [](const char *name, const char *value) {
    value ? setenv(name, value, 1) : unsetenv(name);
  };
  set("DAEDALUS_CACHE", cache);
  set("XDG_CACHE_HOME", xdg);
  set("HOME", home);
  const auto folder = cacheFolder("rtl");
  return folder ? *folder : "error: " + folder.error();
}

/// In a process of its own, whose environment nobody else sees.
void expectFolders() {
  const passwd *user = getpwuid(geteuid());
  const std::string own = std::string(user->pw_dir) + "/.cache/daedalus/rtl";
  const bool right = folderFor("/c", "/x", "/h") == "/c/rtl" &&
                     folderFor(nullptr, "/x", "/h") == "/x/daedalus/rtl" &&
                     folderFor(nullptr, nullptr, "/h") == "/h/.cache/daedalus/rtl" &&
                     folderFor(nullptr, "relative", "/h") == "/h/.cache/daedalus/rtl" &&
                     folderFor(nullptr, nullptr, nullptr) == own && folderFor("", "", "") == own &&
                     folderFor(nullptr, nullptr, "relative") == own;
  std::_Exit(right ? 0 : 1);
}

TEST(ModelCache, IsNeverAFolderThatUsersShare) {
  EXPECT_EXIT(expectFolders(), testing::ExitedWithCode(0), "");
}

} // namespace
} // namespace daedalus::sim::rtl
