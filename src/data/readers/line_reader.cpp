#include "data/readers/line_reader.hpp"

#include <weft/error.hpp>

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace weft {

using namespace detail;

namespace {
constexpr std::size_t kLongestLine = std::size_t{1} << 26;

/// No more than a small file needs.
std::size_t first_chunk(const ByteSource& source, std::size_t chunk_size) {
  const double bytes = source.size() < 0 ? static_cast<double>(chunk_size) : source.size() + 1;
  return std::max<std::size_t>(1, std::min(chunk_size, static_cast<std::size_t>(bytes)));
}
}  // namespace

LineReader::LineReader(std::unique_ptr<ByteSource> source, std::string name, std::size_t chunk_size)
    : source_(std::move(source)), name_(std::move(name)), buffer_(first_chunk(*source_, chunk_size)) {}

bool LineReader::next(std::string_view& line) {
  start_ = position_;
  if (!take_line(line)) return false;
  if (lines_ == 1 && line.substr(0, 3) == "\xef\xbb\xbf") {
    start_ += 3;
    line.remove_prefix(3);
  }
  return true;
}

bool LineReader::extend(std::string_view& line) {
  return take_line(line);
}

bool LineReader::take_line(std::string_view& line) {
  std::size_t searched = position_;
  const char* newline = nullptr;
  for (;;) {
    newline = static_cast<const char*>(std::memchr(buffer_.data() + searched, '\n', filled_ - searched));
    if (newline != nullptr) break;
    const std::size_t pending = filled_ - start_;
    if (!refill()) break;
    searched = start_ + pending;
  }
  if (newline == nullptr && position_ == filled_) return false;
  std::size_t end = newline != nullptr ? static_cast<std::size_t>(newline - buffer_.data()) : filled_;
  position_ = newline != nullptr ? end + 1 : filled_;
  if (end > start_ && buffer_[end - 1] == '\r') --end;
  line = {buffer_.data() + start_, end - start_};
  ++lines_;
  return true;
}

// Moves the unfinished line to the front and reads behind it; the buffer grows only for lines longer than a chunk.
bool LineReader::refill() {
  if (ended_) return false;
  const std::size_t pending = filled_ - start_;
  if (pending > kLongestLine)
    throw Error(ErrorKind::data, "a line is longer than 64 MiB", fmt::format("{}:{}:1", name_, lines_ + 1),
                "check that this is a text file with line ends");
  std::memmove(buffer_.data(), buffer_.data() + start_, pending);
  position_ -= start_;
  start_ = 0;
  filled_ = pending;
  if (filled_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  const std::size_t count = source_->read(buffer_.data() + filled_, buffer_.size() - filled_);
  filled_ += count;
  ended_ = count == 0;
  return !ended_;
}

}  // namespace weft
