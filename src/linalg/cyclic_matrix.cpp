#include "linalg/cyclic_matrix.hpp"

#include "compute/device.hpp"
#include "core/at.hpp"
#include "core/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {

std::vector<Index> own_numbers(Index n, Index tile, int place, int places) {
  std::vector<Index> numbers;
  for (Index first = place * tile; first < n; first += places * tile)
    for (Index i = first; i < std::min(n, first + tile); ++i) numbers.push_back(i);
  return numbers;
}

}  // namespace

CyclicLayout::CyclicLayout(Index n, const CyclicSolver::Grid& where)
    : size(n),
      grid(where),
      rows(own_numbers(n, where.tile, where.row, where.rows)),
      cols(own_numbers(n, where.tile, where.col, where.cols)) {}

Index CyclicLayout::first_row(Index number) const {
  return std::lower_bound(rows.begin(), rows.end(), number) - rows.begin();
}

void CyclicMatrix::add_products(View<const double> of_rows, View<const double> of_cols, int threads) {
  const Index tile = layout_->grid.tile;
  parallel_for((own_.rows() + tile - 1) / tile, threads, [&](Index k) {
    const Index first = k * tile;
    const Index count = std::min(tile, own_.rows() - first);
    const Index from = layout_->first_row(layout_->cols[at(first)]);  // whole tiles: the diagonal one is filled
    if (from == own_.cols()) return;
    cpu().multiply(1, of_cols.row_range(first, count), transpose(of_rows.row_range(from, own_.cols() - from)), 1,
                   own_.view().row_range(first, count).col_range(from, own_.cols() - from));
  });
}

void CyclicMatrix::add(const CyclicMatrix& other) {
  for (Index c = 0; c < own_.rows(); ++c)
    for (Index r = 0; r < own_.cols(); ++r) own_(c, r) += other.own_(c, r);
}

std::vector<double> CyclicMatrix::diagonal(Communicator& processes) const {
  std::vector<double> diagonal(at(layout_->size));
  for (std::size_t c = 0; c < layout_->cols.size(); ++c) {
    const Index number = layout_->cols[c];
    const Index row = layout_->first_row(number);
    if (row < own_.cols() && layout_->rows[at(row)] == number) diagonal[at(number)] = own_(static_cast<Index>(c), row);
  }
  processes.add_up(diagonal.data(), diagonal.size());
  return diagonal;
}

Matrix CyclicMatrix::product(const Matrix& x, Communicator& processes) const {
  Matrix out(x.rows(), x.cols());
  layout_->for_each_lower([&](Index i, Index j, Index c, Index r) {
    const double value = own_(c, r);
    for (Index o = 0; o < x.cols(); ++o) {
      out(i, o) += value * x(j, o);
      if (i != j) out(j, o) += value * x(i, o);
    }
  });
  processes.add_up(out.data(), at(out.rows() * out.cols()));
  return out;
}

double CyclicMatrix::one_norm(Communicator& processes) const {
  std::vector<double> sums(at(layout_->size));
  layout_->for_each_lower([&](Index i, Index j, Index c, Index r) {
    const double value = std::abs(own_(c, r));
    sums[at(i)] += value;
    if (i != j) sums[at(j)] += value;
  });
  processes.add_up(sums.data(), sums.size());
  return sums.empty() ? 0 : *std::max_element(sums.begin(), sums.end());
}

}  // namespace weft::detail
