// The tiles that this process holds of a symmetric matrix, of which only the lower triangle is stored (CyclicSolver).
#pragma once

#include <weft/communicator.hpp>
#include <weft/matrix.hpp>

#include <vector>

namespace weft::detail {

struct CyclicLayout {
  Index size = 0;
  CyclicSolver::Grid grid;
  std::vector<Index> rows;  ///< numbers of the rows that this process holds, ascending
  std::vector<Index> cols;

  CyclicLayout(Index n, const CyclicSolver::Grid& where);
  /// Place of the first own row whose number is at least this.
  Index first_row(Index number) const;
  /// f(i, j, c, r) for every own entry on or below the diagonal: numbers of its row and column, places of its column
  /// and row.
  template <class F>
  void for_each_lower(const F& f) const {
    for (std::size_t c = 0; c < cols.size(); ++c)
      for (auto r = static_cast<std::size_t>(first_row(cols[c])); r < rows.size(); ++r)
        f(rows[r], cols[c], static_cast<Index>(c), static_cast<Index>(r));
  }
};

class CyclicMatrix {
 public:
  explicit CyclicMatrix(const CyclicLayout& layout)
      : layout_(&layout), own_(static_cast<Index>(layout.cols.size()), static_cast<Index>(layout.rows.size())) {}

  double* data() { return own_.data(); }
  const double* data() const { return own_.data(); }

  /// += Φ Φᵀ over the rows of a block: features of the own rows and of the own columns.
  void add_products(View<const double> of_rows, View<const double> of_cols, int threads);
  void add(const CyclicMatrix& other);

  /// By own places, as CyclicLayout::for_each_lower gives them.
  double& operator()(Index c, Index r) { return own_(c, r); }
  double operator()(Index c, Index r) const { return own_(c, r); }

  /// Collective: the diagonal, and out (size × k) = the matrix · x, both on all processes.
  std::vector<double> diagonal(Communicator& processes) const;
  Matrix product(const Matrix& x, Communicator& processes) const;
  /// Collective: the largest sum of absolute values of a column.
  double one_norm(Communicator& processes) const;

 private:
  const CyclicLayout* layout_;
  Matrix own_;  // columns × rows: what ScaLAPACK calls column-major
};

}  // namespace weft::detail
