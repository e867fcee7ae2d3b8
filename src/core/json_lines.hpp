// A log of JSON lines that survives being interrupted: a line that was being written is dropped when it is read again.
#pragma once

#include "core/json_text.hpp"

#include <functional>
#include <string>

namespace weft::detail {

class JsonLines {
 public:
  /// An empty path: nothing is read or kept.
  explicit JsonLines(std::string path) : path_(std::move(path)) {}

  /// Calls consume(line, place) for every whole line, place being "file:line"; removes an incomplete last one. False
  /// where there is no file, or an empty one. A line that is not JSON is passed as a discarded value.
  bool read(const std::function<void(const Json& line, const std::string& place)>& consume) const;

  /// Adds a line and flushes it.
  void append(const Json& line) const;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace weft::detail
