// A file that is written completely or not at all. Symbolic links are followed; devices, pipes and descriptors
// (/dev/stdout, /dev/fd/3), which cannot be replaced, are written in place.
#pragma once

#include "core/temporary_file.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft::detail {

class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);  ///< opens a temporary file beside it; throws weft::Error(file)
  ~AtomicFile();                                 ///< removes it unless committed
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Throws if the file cannot be written. A pipe is not opened: its reader would see it end.
  static void check(const std::string& path);

  void write(const void* data, std::size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }
  bool in_place() const { return !temporary_; }
  void write_at(std::uint64_t offset, const void* data, std::size_t size);  ///< for headers known only at the end
  std::uint64_t size() const { return size_; }
  void commit();  ///< syncs, renames, syncs the folder. Of several writers the last one's file stays, whole

 private:
  [[noreturn]] void fail(const char* action) const;

  std::string path_;
  std::string target_;                      // what the links lead to
  std::optional<TemporaryFile> temporary_;  // none: written in place
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace weft::detail
