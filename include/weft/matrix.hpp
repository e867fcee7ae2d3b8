// Matrices and views. Everything in weft is row-major: element (i, j) of a view lies at data[i * stride + j].
#pragma once

#include <weft/visibility.hpp>

#include <algorithm>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace WEFT_PUBLIC weft {

using Index = std::ptrdiff_t;

/// A non-owning view of rows × cols numbers; `stride` is the distance between the starts of two rows.
template <class T>
struct View {
  T* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index stride = 0;

  View() = default;
  View(T* data_, Index rows_, Index cols_) : View(data_, rows_, cols_, cols_) {}
  View(T* data_, Index rows_, Index cols_, Index stride_) : data(data_), rows(rows_), cols(cols_), stride(stride_) {}

  T* row(Index i) const { return data + i * stride; }
  T& operator()(Index i, Index j) const { return data[i * stride + j]; }

  View row_range(Index first, Index count) const { return {row(first), count, cols, stride}; }
  View col_range(Index first, Index count) const { return {data + first, rows, count, stride}; }

  operator View<const T>() const requires(!std::is_const_v<T>) { return {data, rows, cols, stride}; }
};

/// Cache-line aligned storage: vector loads of any width never straddle two lines.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kAlignment)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, kAlignment); }
  bool operator==(const AlignedAllocator&) const { return true; }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

/// Elements without a given value stay as the memory was.
template <class T>
struct UnsetAllocator : AlignedAllocator<T> {
  template <class U>
  struct rebind {
    using other = UnsetAllocator<U>;
  };
  UnsetAllocator() = default;
  template <class U>
  UnsetAllocator(const UnsetAllocator<U>&) {}
  void construct(T* p) { ::new (static_cast<void*>(p)) T; }
  template <class U>
  void construct(T* p, U&& value) {
    ::new (static_cast<void*>(p)) T(std::forward<U>(value));
  }
};

/// Owning dense row-major matrix, zero-initialised.
template <class T>
class BasicMatrix {
 public:
  BasicMatrix() = default;
  BasicMatrix(Index rows, Index cols) : rows_(rows), cols_(cols), values_(static_cast<std::size_t>(rows * cols), T{}) {}
  /// The contents are unspecified: for who sets every element.
  static BasicMatrix unset(Index rows, Index cols) {
    BasicMatrix matrix;
    matrix.rows_ = rows;
    matrix.cols_ = cols;
    matrix.values_ = decltype(values_)(static_cast<std::size_t>(rows * cols));
    return matrix;
  }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  T* row(Index i) { return data() + i * cols_; }
  const T* row(Index i) const { return data() + i * cols_; }
  T& operator()(Index i, Index j) { return values_[static_cast<std::size_t>(i * cols_ + j)]; }
  T operator()(Index i, Index j) const { return values_[static_cast<std::size_t>(i * cols_ + j)]; }

  /// Changes the shape, keeping capacity; the contents are unspecified afterwards.
  void reshape(Index rows, Index cols) {
    rows_ = rows;
    cols_ = cols;
    values_.resize(static_cast<std::size_t>(rows * cols), T{});
  }

  View<T> view() { return {data(), rows_, cols_}; }
  View<const T> view() const { return {data(), rows_, cols_}; }
  operator View<T>() { return view(); }
  operator View<const T>() const { return view(); }

 private:
  Index rows_ = 0;
  Index cols_ = 0;
  std::vector<T, UnsetAllocator<T>> values_;
};

using Matrix = BasicMatrix<double>;

/// to(j, i) = from(i, j), in tiles whose lines stay in cache on both sides.
inline void transpose(View<const double> from, View<double> to) {
  constexpr Index kRows = 16, kCols = 8;
  for (Index i = 0; i < from.rows; i += kRows)
    for (Index j = 0; j < from.cols; j += kCols)
      for (Index c = j; c < std::min(j + kCols, from.cols); ++c)
        for (Index r = i; r < std::min(i + kRows, from.rows); ++r) to(c, r) = from(r, c);
}

}  // namespace weft
