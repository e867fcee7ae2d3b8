// A file that is written completely or not at all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::detail {

class AtomicFile {
 public:
  explicit AtomicFile(std::string path);  ///< opens PATH.tmp-<pid>; throws weft::Error(file)
  ~AtomicFile();                          ///< removes it unless committed
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, std::size_t size);
  void write(std::string_view text) { write(text.data(), text.size()); }
  void write_at(std::uint64_t offset, const void* data, std::size_t size);  ///< for headers known only at the end
  std::uint64_t size() const { return size_; }
  void commit();  ///< flushes, syncs, renames

 private:
  [[noreturn]] void fail(const char* action) const;

  std::string path_;
  std::string temporary_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace weft::detail
