#include "core/atomic_file.hpp"

#include <weft/error.hpp>

#include <cassert>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace weft::detail {

namespace {

[[noreturn]] void refuse(const std::string& path, const char* action, int code) {
  throw Error(ErrorKind::file, fmt::format("cannot {} it for writing: {}", action, std::strerror(code)), path,
              "choose a folder that exists, is writable and has free space");
}

struct Target {
  std::string path;                ///< behind the links
  std::optional<int> descriptor;   ///< of this process, which the path names
  std::optional<struct stat> now;  ///< of what is there

  bool in_place() const { return descriptor || (now && !S_ISREG(now->st_mode)); }
};

// /dev/stdout is a link to /proc/self/fd/1, and /dev/fd one to /proc/self/fd. To open such a name would fail for a
// socket or another user's terminal, and start again at the beginning of a file.
std::optional<int> descriptor_named(const std::filesystem::path& path) {
  if (path.parent_path() != "/proc/self/fd" && path.parent_path() != "/dev/fd") return std::nullopt;
  const std::string name = path.filename();
  int number = 0;
  const auto result = std::from_chars(name.data(), name.data() + name.size(), number);
  if (result.ec != std::errc{} || result.ptr != name.data() + name.size()) return std::nullopt;
  return number;
}

Target target_of(const std::string& path) {
  Target target{path, std::nullopt, std::nullopt};
  constexpr int kMostLinks = 40;
  for (int links = 0;; ++links) {
    const std::filesystem::path here = target.path;
    target.descriptor = descriptor_named(here);
    std::error_code unknown;
    if (target.descriptor || !std::filesystem::is_symlink(here, unknown)) break;
    if (links == kMostLinks) refuse(path, "open", ELOOP);
    target.path = here.parent_path() / std::filesystem::read_symlink(here, unknown);
  }
  struct stat now = {};
  if (::stat(path.c_str(), &now) == 0) target.now = now;
  if (target.now && S_ISDIR(target.now->st_mode))
    throw Error(ErrorKind::file, "it is a folder", path, "give the name of a file in it");
  return target;
}

bool sync(int descriptor) {
  int result = 0;
  do result = ::fsync(descriptor);
  while (result != 0 && errno == EINTR);
  return result == 0;
}

// Without this a name may be lost with the power although its file was written. A folder that may be written but not
// read cannot be synced, nor can those of some network file systems.
bool sync_folder(const std::string& target) {
  const std::filesystem::path folder = std::filesystem::path(target).parent_path();
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return true;
  const bool failed = !sync(descriptor) && errno != EINVAL && errno != ENOTSUP && errno != EROFS;
  const int code = errno;
  ::close(descriptor);
  errno = code;
  return !failed;
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(path) {
  const Target target = target_of(path);
  if (target.in_place()) {
    descriptor_ = target.descriptor ? ::dup(*target.descriptor) : ::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (descriptor_ < 0) fail("open");
    return;
  }
  target_ = target.path;
  try {
    temporary_.emplace(target_);
  } catch (const std::system_error& error) {
    refuse(path_, "open", error.code().value());
  }
  descriptor_ = temporary_->descriptor();
  // Others may do with the new file what they could with the old one. Not every file system knows that.
  if (target.now) static_cast<void>(::fchmod(descriptor_, target.now->st_mode & 0777));
}

AtomicFile::~AtomicFile() {
  if (in_place() && descriptor_ >= 0) ::close(descriptor_);
}

void AtomicFile::check(const std::string& path) {
  const Target target = target_of(path);
  if (!target.in_place()) {
    const AtomicFile probe(path);
    return;
  }
  if (target.descriptor) {
    const int flags = ::fcntl(*target.descriptor, F_GETFL);
    if (flags < 0) refuse(path, "open", errno);
    if ((flags & O_ACCMODE) == O_RDONLY) refuse(path, "open", EBADF);
  } else if (::access(path.c_str(), W_OK) != 0) {
    refuse(path, "open", errno);
  }
}

void AtomicFile::fail(const char* action) const {
  refuse(path_, action, errno);
}

void AtomicFile::write(const void* data, std::size_t size) {
  if (!in_place()) write_at(size_, data, size);
  size_ += size;
  const char* bytes = static_cast<const char*>(data);
  while (in_place() && size > 0) {
    const ssize_t written = ::write(descriptor_, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write");
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::write_at(std::uint64_t offset, const void* data, std::size_t size) {
  assert(!in_place());
  const char* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::pwrite(descriptor_, bytes, size, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write");
    bytes += written;
    offset += static_cast<std::uint64_t>(written);
    size -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::commit() {
  // Terminals and pipes have nothing to sync.
  if (!sync(descriptor_) && !(in_place() && (errno == EINVAL || errno == ENOTSUP || errno == EROFS))) fail("flush");
  if (in_place()) return;
  if (!temporary_->rename()) fail("rename");
  if (!sync_folder(target_)) fail("flush the folder of");
}

}  // namespace weft::detail
