// A CyclicSolver for processes that are threads of the test: all of them gather the tiles, factor the whole matrix and
// keep what is theirs. Which entries these are is written here once more, from the definition of the layout.
#pragma once

#include "distributed/thread_processes.hpp"
#include "linalg/cholesky.hpp"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace weft::testing {

class ThreadSolver final : public CyclicSolver {
 public:
  ThreadSolver(Communicator& processes, Index tile) : processes_(processes), tile_(tile) {
    rows_ = static_cast<int>(std::sqrt(processes.size()));
    while (processes.size() % rows_ != 0) --rows_;
  }

  Grid grid() const override { return grid_of(processes_.rank()); }

  double factor(Index n, double* own, double norm) override {
    Matrix lower = gathered(n, own);
    if (!detail::cholesky_factor(lower, 1)) return 0;
    for_each_entry(n, grid(), [&](Index i, Index j, std::size_t at) {
      if (i >= j) own[at] = lower(i, j);
    });
    return detail::reciprocal_condition(lower, norm);
  }

  void solve(Index n, const double* own_factor, double* rhs, Index k) override {
    const Matrix lower = gathered(n, own_factor);
    Matrix columns(n, k);
    for (Index i = 0; i < n; ++i)
      for (Index o = 0; o < k; ++o) columns(i, o) = rhs[o * n + i];
    detail::solve_cholesky(lower, columns, 1);
    for (Index i = 0; i < n; ++i)
      for (Index o = 0; o < k; ++o) rhs[o * n + i] = columns(i, o);
  }

  Grid grid_of(int rank) const {
    const int cols = processes_.size() / rows_;
    return {rows_, cols, rank / cols, rank % cols, tile_};
  }

  /// f(i, j, place) for the entries of the process, in the order in which it holds them: columns one after the other.
  template <class F>
  static void for_each_entry(Index n, const Grid& grid, const F& f) {
    std::size_t place = 0;
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n && j / grid.tile % grid.cols == grid.col; ++i)
        if (i / grid.tile % grid.rows == grid.row) f(i, j, place++);
  }

 private:
  Matrix gathered(Index n, const double* own) const {
    std::size_t count = 0;
    for_each_entry(n, grid(), [&](Index, Index, std::size_t) { ++count; });
    const auto all = processes_.all_gather({reinterpret_cast<const char*>(own), count * sizeof(double)});
    Matrix whole(n, n);
    for (int rank = 0; rank < processes_.size(); ++rank)
      for_each_entry(n, grid_of(rank), [&](Index i, Index j, std::size_t place) {
        std::memcpy(&whole(i, j), all[static_cast<std::size_t>(rank)].data() + place * sizeof(double), sizeof(double));
      });
    return whole;
  }

  Communicator& processes_;
  Index tile_;
  int rows_ = 1;
};

}  // namespace weft::testing
