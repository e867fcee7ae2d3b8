// Where bytes come from: a file, standard input, gzip of either, or memory.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace weft::detail {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// Reads up to `size` bytes; 0 only at the end.
  std::size_t read(char* to, std::size_t size);
  /// The next `size` bytes (fewer only at the end) without consuming them; valid until the next call.
  std::string_view peek(std::size_t size);
  /// How much has been read, 0 … 1; negative when unknown.
  virtual double fraction() const = 0;
  /// All bytes, those that were read included; negative when unknown, as of compressed ones.
  virtual double size() const { return -1; }

 protected:
  virtual std::size_t fill(char* to, std::size_t size) = 0;

 private:
  std::string peeked_;
  std::size_t taken_ = 0;
};

/// Opens a file, or standard input for "-"; gzip (also of several members) is recognised by its first bytes and
/// decompressed.
std::unique_ptr<ByteSource> open_bytes(const std::string& path);

/// Bytes of a text that outlives the source.
std::unique_ptr<ByteSource> memory_bytes(std::string_view text);

/// Reads exactly `size` bytes or throws that `name` is cut off.
void read_exactly(ByteSource& source, char* to, std::size_t size, const std::string& name);

/// Throws that `name` is cut off if fewer than `size` bytes follow, or, of compressed ones, not even the first `part`.
/// For sizes that the file declares, before anything is allocated for them.
void require_bytes(ByteSource& source, double read, double size, std::size_t part, const std::string& name);

/// False for standard input, pipes and the like, which can be read only once.
bool can_reopen(const std::string& path);

bool is_gzip(std::string_view start);
bool is_compressed(const std::string& path);

/// A file descriptor that closes itself. Throws ErrorKind::file for what cannot be opened.
class FileHandle {
 public:
  explicit FileHandle(const std::string& path);
  ~FileHandle();
  FileHandle(const FileHandle&) = delete;
  FileHandle& operator=(const FileHandle&) = delete;

  std::size_t read(char* to, std::size_t size);
  /// Reads exactly `size` bytes from `offset`, or throws that the file is cut off.
  void read_at(char* to, std::size_t size, std::size_t offset);
  double size() const { return size_; }  ///< bytes; 0 when unknown (a pipe)

 private:
  std::string path_;
  int descriptor_;
  double size_ = 0;
};

}  // namespace weft::detail
