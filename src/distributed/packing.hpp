// Numbers as the bytes of a message between processes of one program: no version, no checksum.
#pragma once

#include <weft/matrix.hpp>

#include <cassert>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace weft::detail {

class Packer {
 public:
  template <class T>
  Packer& add(const T& value) {
    static_assert(std::is_arithmetic_v<T>);
    return append(&value, sizeof value);
  }
  template <class T>
  Packer& add(const std::vector<T>& values) {
    add(static_cast<Index>(values.size()));
    return append(values.data(), values.size() * sizeof(T));
  }
  Packer& add(View<const double> matrix) {
    add(matrix.rows).add(matrix.cols);
    for (Index i = 0; i < matrix.rows; ++i)
      append(matrix.row(i), static_cast<std::size_t>(matrix.cols) * sizeof(double));
    return *this;
  }
  Packer& add(const Matrix& matrix) { return add(matrix.view()); }
  Packer& add(const std::string& text) {
    add(static_cast<Index>(text.size()));
    return append(text.data(), text.size());
  }
  std::string bytes() && { return std::move(bytes_); }

 private:
  Packer& append(const void* data, std::size_t size) {
    bytes_.append(static_cast<const char*>(data), size);
    return *this;
  }
  std::string bytes_;
};

/// Gives back in the same order what a Packer was given; the bytes must outlive it.
class Unpacker {
 public:
  explicit Unpacker(const std::string& bytes) : bytes_(bytes) {}

  template <class T>
  T number() {
    T value{};
    take(&value, sizeof value);
    return value;
  }
  template <class T>
  std::vector<T> numbers() {
    std::vector<T> values(static_cast<std::size_t>(number<Index>()));
    take(values.data(), values.size() * sizeof(T));
    return values;
  }
  Matrix matrix() {
    const auto rows = number<Index>();
    const auto cols = number<Index>();
    Matrix matrix(rows, cols);
    for (Index i = 0; i < rows; ++i) take(matrix.row(i), static_cast<std::size_t>(cols) * sizeof(double));
    return matrix;
  }
  std::string text() {
    std::string text(static_cast<std::size_t>(number<Index>()), '\0');
    take(text.data(), text.size());
    return text;
  }
  bool more() const { return position_ < bytes_.size(); }

 private:
  void take(void* data, std::size_t size) {
    assert(position_ + size <= bytes_.size());
    if (size > 0) std::memcpy(data, bytes_.data() + position_, size);
    position_ += size;
  }
  const std::string& bytes_;
  std::size_t position_ = 0;
};

}  // namespace weft::detail
