// Lines of a byte source, without copying them: the buffer holds one chunk and the line that straddles its end.
#pragma once

#include <weft/matrix.hpp>

#include "data/readers/byte_source.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weft::detail {

inline constexpr std::size_t kChunkSize = std::size_t{1} << 18;  // about a level-2 cache: the parser finds it warm

class LineReader {
 public:
  /// `name` is the file's, for messages.
  LineReader(std::unique_ptr<ByteSource> source, std::string name, std::size_t chunk_size = kChunkSize);

  /// The next line without its end (LF or CRLF) and without the file's byte-order mark; false when there is none left.
  bool next(std::string_view& line);
  /// Lengthens the line last read by the one that follows, line ends between them kept; false when there is none.
  bool extend(std::string_view& line);

  Index line_number() const { return lines_; }  ///< 1-based, of the last line read
  const std::string& name() const { return name_; }
  const ByteSource& source() const { return *source_; }

 private:
  bool take_line(std::string_view& line);
  bool refill();

  std::unique_ptr<ByteSource> source_;
  std::string name_;
  std::vector<char> buffer_;
  std::size_t start_ = 0;     // of the line handed out
  std::size_t position_ = 0;  // of the next line
  std::size_t filled_ = 0;
  Index lines_ = 0;
  bool ended_ = false;
};

}  // namespace weft::detail
