// A temporary file without a name: no other process can open it, and it is removed when it is closed, also after a
// crash.
#pragma once

#include <cstdint>
#include <string>

namespace weft::detail {

class NamelessFile {
 public:
  NamelessFile() = default;
  ~NamelessFile();
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;

  /// Appends, in the first of $TMPDIR, /var/tmp and /tmp that is writable. False if none is, or if the file would need
  /// more than half of the disk's free space; what was appended before stays.
  bool append(const std::string& bytes);
  /// Throws where the bytes cannot be read.
  std::string read(std::uint64_t offset, std::size_t size) const;
  std::uint64_t size() const { return size_; }

 private:
  bool open();

  int descriptor_ = -1;
  std::string folder_;
  std::uint64_t size_ = 0;
};

}  // namespace weft::detail
