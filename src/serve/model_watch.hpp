// Whether a file has changed, by what its folder says of it.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

namespace weft::detail {

class ModelWatch {
 public:
  explicit ModelWatch(std::string path) : path_(std::move(path)), seen_(look()) {}

  /// Whether it is another file, or has other contents, than at the last call that said so, and has been so for two
  /// calls: then nobody is writing it any more.
  bool changed();

 private:
  /// Device, number, size, and time of the last change; zeros where there is no file.
  using Mark = std::tuple<std::uint64_t, std::uint64_t, std::int64_t, std::int64_t, std::int64_t>;
  Mark look() const;

  std::string path_;
  Mark seen_;
  Mark pending_ = {};
};

}  // namespace weft::detail
