#include "core/nameless_file.hpp"

#include <weft/error.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <unistd.h>

#include <fmt/format.h>

namespace weft::detail {

NamelessFile::~NamelessFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool NamelessFile::open() {
  const char* const given = std::getenv("TMPDIR");
  for (const char* folder : {given != nullptr ? given : "/var/tmp", "/var/tmp", "/tmp"}) {
    std::string name = std::string(folder) + "/weft-XXXXXX";
    descriptor_ = ::mkstemp(name.data());
    if (descriptor_ < 0) continue;
    ::unlink(name.c_str());
    folder_ = folder;
    return true;
  }
  return false;
}

bool NamelessFile::append(const std::string& bytes) {
  if (descriptor_ < 0 && !open()) return false;
  std::error_code unknown;
  const auto left = std::filesystem::space(folder_, unknown).available;
  if (unknown || left < size_ + 2 * bytes.size()) return false;
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count =
        ::pwrite(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(size_ + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  size_ += bytes.size();
  return true;
}

std::string NamelessFile::read(std::uint64_t offset, std::size_t size) const {
  std::string bytes(size, '\0');
  for (std::size_t done = 0; done < size;) {
    const ssize_t count = ::pread(descriptor_, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0)
      throw Error(ErrorKind::file, fmt::format("a temporary file cannot be read ({})", std::strerror(errno)), {},
                  "check the disk of $TMPDIR");
    done += static_cast<std::size_t>(count);
  }
  return bytes;
}

}  // namespace weft::detail
