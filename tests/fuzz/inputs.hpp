// What targets share: inputs as files, checksums made right, and numbers that must be the same.
#pragma once

#include <weft/run.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::fuzz {

/// A file in memory that has a path: for what reads by path. One for all inputs.
class MemoryFile {
 public:
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  /// Its path, once it holds these bytes and nothing else.
  const std::string& with(std::string_view bytes);
  std::string bytes() const;

 private:
  int descriptor_;
  std::string path_;
};

MemoryFile& memory_file();

/// Block files end with a CRC-64 and have the length of their header before it.
void repair_block_file(std::string& bytes);
/// Checkpoints end with a CRC-32.
void repair_checkpoint(std::string& bytes);

Run one_thread();

std::string gzipped(std::string_view text);

/// The bytes of numbers that a file holds as they lie in memory.
template <class T>
std::string bytes_of(const std::vector<T>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

}  // namespace weft::fuzz
