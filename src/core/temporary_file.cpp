#include "core/temporary_file.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace weft::detail {

namespace {

// Names are tried in this order, so that what dead processes left is met without reading the folder. More may be in use
// at once; what is left of those is found where the numbers before them are taken again.
constexpr int kNamesSearched = 16;
constexpr int kMostNames = 10000;

// Names that a signal handler is to unlink. Whoever takes an entry out of the list owns the text.
std::array<std::atomic<char*>, 64> to_remove{};

std::string name_beside(const std::string& target, int number) {
  const std::filesystem::path path = target;
  constexpr std::size_t kLongestStem = 200;  // names end at 255 bytes
  return path.parent_path() / fmt::format("{}.tmp-weft-{}", path.filename().string().substr(0, kLongestStem), number);
}

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// Removes the file of that name if the process that wrote it is gone: its lock is free. Where a file system has no
/// locks, nothing is removed.
void remove_if_left(const std::string& name) {
  const int descriptor = ::open(name.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat opened = {};
  struct stat named = {};
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && ::fstat(descriptor, &opened) == 0 &&
      ::lstat(name.c_str(), &named) == 0 && S_ISREG(opened.st_mode) && same_file(opened, named))
    ::unlink(name.c_str());
  ::close(descriptor);
}

}  // namespace

TemporaryFile::TemporaryFile(const std::string& target) : target_(target) {
  for (int number = 0; number < kNamesSearched; ++number) remove_if_left(name_beside(target, number));
  for (int number = 0; !create(name_beside(target, number)); ++number)
    if (errno != EEXIST || number == kMostNames) throw std::system_error(errno, std::generic_category());
  enlist();
}

// False, with errno set, where it cannot be created, or another writer took it for one that was left behind before it
// was locked (EEXIST).
bool TemporaryFile::create(const std::string& name) {
  descriptor_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor_ < 0) return false;
  struct stat opened = {};
  const bool taken = ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (!taken && ::fstat(descriptor_, &opened) == 0 && opened.st_nlink > 0) {
    name_ = name;
    return true;
  }
  ::close(descriptor_);
  descriptor_ = -1;
  errno = EEXIST;
  return false;
}

void TemporaryFile::enlist() {
  char* const text = ::strdup(name_.c_str());
  for (std::size_t entry = 0; text != nullptr && entry < to_remove.size(); ++entry) {
    char* none = nullptr;
    if (!to_remove[entry].compare_exchange_strong(none, text)) continue;
    entry_ = static_cast<int>(entry);
    return;
  }
  std::free(text);  // NOLINT: of strdup
}

// False where a signal handler has taken the entry, and removes the file.
bool TemporaryFile::delist() {
  if (entry_ < 0) return true;
  char* const text = to_remove[static_cast<std::size_t>(entry_)].exchange(nullptr);
  entry_ = -1;
  std::free(text);  // NOLINT: of strdup
  return text != nullptr;
}

TemporaryFile::~TemporaryFile() {
  if (!name_.empty() && delist()) ::unlink(name_.c_str());
  ::close(descriptor_);  // after the name is gone: its lock ends here
}

bool TemporaryFile::rename() {
  if (::rename(name_.c_str(), target_.c_str()) != 0) return false;
  delist();
  name_.clear();
  return true;
}

void unlink_temporary_files() noexcept {
  for (std::atomic<char*>& entry : to_remove)
    if (const char* const name = entry.exchange(nullptr)) ::unlink(name);
}

}  // namespace weft::detail
