// Dense linear algebra in quadruple precision (113 bits, exponents to ±16,000): the textbook's algorithms, as the truth
// for what weft computes in double. Products of two doubles are exact in it.
#pragma once

#include <weft/matrix.hpp>

#include <algorithm>
#include <cassert>
#include <cfloat>
#include <cmath>
#include <utility>
#include <vector>

namespace weft::test {

#if LDBL_MANT_DIG == 113
using Quad = long double;
#else
__extension__ typedef __float128 Quad;
#endif

inline Quad absolute(Quad x) {
  return x < 0 ? -x : x;
}

/// Newton's iteration from the root in double, of x = m·4^k with m near 1.
inline Quad square_root(Quad x) {
  if (!(x > 0)) return 0;
  Quad scale = 1;
  for (; x > 4; scale *= 2) x /= 4;
  for (; x < 1; scale /= 2) x *= 4;
  Quad root = std::sqrt(static_cast<double>(x));
  for (int step = 0; step < 3; ++step) root = (root + x / root) / 2;
  return root * scale;
}

struct QuadMatrix {
  Index rows = 0, cols = 0;
  std::vector<Quad> entries;

  QuadMatrix() = default;
  QuadMatrix(Index rows_, Index cols_) : rows(rows_), cols(cols_), entries(static_cast<std::size_t>(rows_ * cols_)) {}
  explicit QuadMatrix(View<const double> a) : QuadMatrix(a.rows, a.cols) {
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j) (*this)(i, j) = a(i, j);
  }
  static QuadMatrix symmetric(View<const double> lower) {
    QuadMatrix a(lower.rows, lower.rows);
    for (Index i = 0; i < a.rows; ++i)
      for (Index j = 0; j <= i; ++j) a(i, j) = a(j, i) = lower(i, j);
    return a;
  }
  static QuadMatrix identity(Index n) {
    QuadMatrix a(n, n);
    for (Index i = 0; i < n; ++i) a(i, i) = 1;
    return a;
  }
  Quad& operator()(Index i, Index j) { return entries[static_cast<std::size_t>(i * cols + j)]; }
  Quad operator()(Index i, Index j) const { return entries[static_cast<std::size_t>(i * cols + j)]; }

  QuadMatrix transposed() const {
    QuadMatrix out(cols, rows);
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j) out(j, i) = (*this)(i, j);
    return out;
  }
  Quad norm() const {  ///< Frobenius
    Quad sum = 0;
    for (const Quad entry : entries) sum += entry * entry;
    return square_root(sum);
  }
  Quad largest() const {
    Quad most = 0;
    for (const Quad entry : entries) most = absolute(entry) > most ? absolute(entry) : most;
    return most;
  }
};

inline QuadMatrix operator*(const QuadMatrix& a, const QuadMatrix& b) {
  assert(a.cols == b.rows);
  QuadMatrix out(a.rows, b.cols);
  for (Index i = 0; i < a.rows; ++i)
    for (Index k = 0; k < a.cols; ++k)
      for (Index j = 0; j < b.cols; ++j) out(i, j) += a(i, k) * b(k, j);
  return out;
}

inline QuadMatrix operator-(QuadMatrix a, const QuadMatrix& b) {
  assert(a.rows == b.rows && a.cols == b.cols);
  for (std::size_t i = 0; i < a.entries.size(); ++i) a.entries[i] -= b.entries[i];
  return a;
}

/// Gaussian elimination with partial pivoting: A⁻¹B.
inline QuadMatrix quad_solve(QuadMatrix a, QuadMatrix b) {
  const Index n = a.rows;
  for (Index k = 0; k < n; ++k) {
    Index pivot = k;
    for (Index i = k + 1; i < n; ++i)
      if (absolute(a(i, k)) > absolute(a(pivot, k))) pivot = i;
    for (Index j = 0; j < n && pivot != k; ++j) std::swap(a(k, j), a(pivot, j));
    for (Index j = 0; j < b.cols && pivot != k; ++j) std::swap(b(k, j), b(pivot, j));
    for (Index i = k + 1; i < n; ++i) {
      const Quad factor = a(i, k) / a(k, k);
      if (factor == 0) continue;
      for (Index j = k; j < n; ++j) a(i, j) -= factor * a(k, j);
      for (Index j = 0; j < b.cols; ++j) b(i, j) -= factor * b(k, j);
    }
  }
  for (Index i = n - 1; i >= 0; --i)
    for (Index j = 0; j < b.cols; ++j) {
      for (Index k = i + 1; k < n; ++k) b(i, j) -= a(i, k) * b(k, j);
      b(i, j) /= a(i, i);
    }
  return b;
}

/// A ← JᵀAJ for the rotation J of coordinates p and q that makes a(p, q) zero.
inline void rotate_pair(QuadMatrix& a, Index p, Index q) {
  const Quad apart = (a(q, q) - a(p, p)) / (2 * a(p, q));
  const Quad t = (apart < 0 ? -1 : 1) / (absolute(apart) + square_root(1 + apart * apart));
  const Quad c = 1 / square_root(1 + t * t);
  const Quad s = t * c;
  for (Index k = 0; k < a.rows; ++k) {
    const Quad kp = a(k, p);
    const Quad kq = a(k, q);
    a(k, p) = c * kp - s * kq;
    a(k, q) = s * kp + c * kq;
  }
  for (Index k = 0; k < a.rows; ++k) {
    const Quad pk = a(p, k);
    const Quad qk = a(q, k);
    a(p, k) = c * pk - s * qk;
    a(q, k) = s * pk + c * qk;
  }
}

/// The eigenvalues of a symmetric matrix, ascending, by Jacobi's rotations.
inline std::vector<Quad> quad_eigenvalues(QuadMatrix a) {
  const Quad unit = a.largest();
  const Quad small = unit * 1e-30;
  for (int sweep = 0; sweep < 40; ++sweep) {
    bool settled = true;
    for (Index p = 0; p < a.rows; ++p)
      for (Index q = p + 1; q < a.rows; ++q) {
        if (absolute(a(p, q)) <= small) continue;
        settled = false;
        rotate_pair(a, p, q);
      }
    if (settled) break;
  }
  std::vector<Quad> values;
  for (Index i = 0; i < a.rows; ++i) values.push_back(a(i, i));
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace weft::test
