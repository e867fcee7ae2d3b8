#include "fuzz/inputs.hpp"

#include "core/crc64.hpp"

#include <algorithm>
#include <cstring>
#include <system_error>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace weft::fuzz {

namespace {

void check(bool succeeded, const char* what) {
  if (!succeeded) throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

MemoryFile::MemoryFile() : descriptor_(::memfd_create("weft-fuzz", MFD_CLOEXEC)) {
  check(descriptor_ >= 0, "memfd_create");
  path_ = fmt::format("/proc/self/fd/{}", descriptor_);
}

MemoryFile::~MemoryFile() {
  ::close(descriptor_);
}

const std::string& MemoryFile::with(std::string_view bytes) {
  check(::ftruncate(descriptor_, static_cast<off_t>(bytes.size())) == 0, "ftruncate");
  check(::pwrite(descriptor_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()), "pwrite");
  check(::lseek(descriptor_, 0, SEEK_SET) == 0, "lseek");
  return path_;
}

std::string MemoryFile::bytes() const {
  struct stat info = {};
  check(::fstat(descriptor_, &info) == 0, "fstat");
  std::string text(static_cast<std::size_t>(info.st_size), '\0');
  check(::pread(descriptor_, text.data(), text.size(), 0) == info.st_size, "pread");
  return text;
}

MemoryFile& memory_file() {
  static MemoryFile file;
  return file;
}

void repair_block_file(std::string& bytes) {
  constexpr std::size_t kStart = 20;
  constexpr std::size_t kSum = 8;
  if (bytes.size() < kStart + kSum) return;
  // The header ends where the brackets that it opens are closed: a mutation that lengthens it gets past its length.
  int depth = 0;
  bool quoted = false;
  for (std::size_t at = kStart; at < bytes.size() - kSum; ++at) {
    const char c = bytes[at];
    if (quoted && c == '\\') ++at;
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '{' || c == '[')) ++depth;
    if (!quoted && (c == '}' || c == ']') && --depth == 0) {
      const std::uint64_t length = at + 1 - kStart;
      std::memcpy(bytes.data() + kStart - sizeof length, &length, sizeof length);
      break;
    }
  }
  detail::Crc64 crc;
  crc.add(bytes.data(), bytes.size() - kSum);
  const std::uint64_t sum = crc.value();
  std::memcpy(bytes.data() + bytes.size() - kSum, &sum, kSum);
}

void repair_checkpoint(std::string& bytes) {
  std::uint32_t sum = 0;
  if (bytes.size() < sizeof sum) return;
  const std::size_t end = bytes.size() - sizeof sum;
  sum = static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), end));
  std::memcpy(bytes.data() + end, &sum, sizeof sum);
}

Run one_thread() {
  Run run;
  run.threads = 1;
  return run;
}

std::string gzipped(std::string_view text) {
  z_stream stream = {};
  check(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK, "deflateInit2");
  std::string packed(deflateBound(&stream, text.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));  // NOLINT: zlib does not write there
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  check(deflate(&stream, Z_FINISH) == Z_STREAM_END, "deflate");
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace weft::fuzz
