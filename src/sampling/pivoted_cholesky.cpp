#include "sampling/pivoted_cholesky.hpp"

#include "compute/device.hpp"
#include "core/at.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "core/tiles.hpp"

#include <algorithm>
#include <cmath>

namespace weft::detail {

namespace {

constexpr Index kProposals = 256;    // of a block
constexpr Index kColumns = 512;      // of F that one thread updates at a time
constexpr double kVanished = 1e-12;  // of k(x, x): what rounding leaves of a row that others explain

Matrix columns_of(View<const double> x, const std::vector<Index>& positions, Index rows) {
  Matrix chosen(rows, static_cast<Index>(positions.size()));
  for (Index j = 0; j < rows; ++j)
    for (std::size_t k = 0; k < positions.size(); ++k) chosen(j, static_cast<Index>(k)) = x(j, positions[k]);
  return chosen;
}

class Search {
 public:
  Search(const Kernel& kernel, View<const double> x, Index count, std::uint64_t seed, const Run& run)
      : kernel_(kernel),
        x_(x),
        run_(run),
        random_(seed, RandomStream::pivots),
        count_(std::min(count, x.cols)),
        diagonal_(kernel.diagonal(x, run)),
        left_(diagonal_),
        factor_(count_, x.cols) {}

  PivotedCholesky find() {
    while (found() < count_) {
      run_.check_cancelled();
      const std::vector<Index> proposals = propose();
      if (proposals.empty()) break;
      const Accepted accepted = accept(proposals);
      if (!accepted.positions.empty()) append(accepted);
      run_.report("landmarks", static_cast<double>(found()), static_cast<double>(count_));
      ++block_;
    }
    if (found() < count_) {
      Matrix shorter(found(), x_.cols);
      std::copy_n(factor_.data(), found() * x_.cols, shorter.data());
      factor_ = std::move(shorter);
    }
    return {std::move(pivots_), std::move(factor_), std::move(left_)};
  }

 private:
  struct Accepted {
    std::vector<Index> positions;
    Matrix lower;  // the Cholesky factor of their block of K − FᵀF
  };

  Index found() const { return static_cast<Index>(pivots_.size()); }
  bool vanished(double left, Index i) const { return !(left > kVanished * diagonal_[at(i)]); }

  /// Independent draws in proportion to what is left of the diagonal; none where nothing is.
  std::vector<Index> propose() const {
    std::vector<double> sums;
    sums.reserve(left_.size());
    double sum = 0;
    for (const double value : left_) sums.push_back(sum += value);
    std::vector<Index> proposals;
    if (!(sum > 0)) return proposals;
    const Index number = std::min(kProposals, 2 * (count_ - found()));
    for (Index k = 0; k < number; ++k) {
      const double place = sum * random_.uniform(block_, static_cast<std::uint32_t>(2 * k));
      const auto position = std::upper_bound(sums.begin(), sums.end(), place) - sums.begin();
      proposals.push_back(std::min<Index>(position, x_.cols - 1));
    }
    return proposals;
  }

  /// Goes through the proposals in their order. A row that was accepted before has nothing left and is not accepted
  /// again.
  Accepted accept(const std::vector<Index>& proposals) {
    const auto number = static_cast<Index>(proposals.size());
    const Matrix rows = columns_of(x_, proposals, x_.rows);
    const Matrix known = columns_of(factor_, proposals, found());
    Matrix left = kernel_.gram(rows, run_);
    cpu().multiply(-1, transpose(known), known, 1, left);
    std::vector<Index> taken;
    Matrix columns(number, number);  // row c: the factor's column of the accepted proposal taken[c]
    for (Index k = 0; k < number && found() + static_cast<Index>(taken.size()) < count_; ++k) {
      const Index i = proposals[at(k)];
      const double chance = random_.uniform(block_, static_cast<std::uint32_t>(2 * k + 1));
      if (vanished(left(k, k), i)) {
        if (taken.empty()) left_[at(i)] = 0;  // rounding alone kept it above: it would be proposed for ever
        continue;
      }
      if (chance * left_[at(i)] >= left(k, k)) continue;
      const auto c = static_cast<Index>(taken.size());
      const double root = std::sqrt(left(k, k));
      double* column = columns.row(c);
      for (Index s = k; s < number; ++s) column[s] = left(s, k) / root;
      for (Index s = k + 1; s < number; ++s) cpu().add_scaled(s - k, -column[s], column + k + 1, left.row(s) + k + 1);
      taken.push_back(k);
    }
    Accepted accepted;
    accepted.lower = Matrix(static_cast<Index>(taken.size()), static_cast<Index>(taken.size()));
    for (std::size_t r = 0; r < taken.size(); ++r) {
      accepted.positions.push_back(proposals[at(taken[r])]);
      for (std::size_t c = 0; c <= r; ++c)
        accepted.lower(static_cast<Index>(r), static_cast<Index>(c)) = columns(static_cast<Index>(c), taken[r]);
    }
    return accepted;
  }

  /// F gets L⁻¹(K_T − F_TᵀF), T the accepted rows.
  void append(const Accepted& accepted) {
    const Index before = found(), more = static_cast<Index>(accepted.positions.size());
    const Matrix rows = columns_of(x_, accepted.positions, x_.rows);
    const Matrix known = columns_of(factor_, accepted.positions, before);
    const View<double> all = factor_.view();
    kernel_.values(rows, x_, all.row_range(before, more), run_);
    parallel_for(tile_count(x_.cols, kColumns), run_.thread_count(), [&](Index k) {
      const Tile part = tile(k, x_.cols, kColumns);
      const View<double> fresh = block(all, {before, more}, part);
      cpu().multiply(-1, transpose(known), block(all, {0, before}, part), 1, fresh);
      cpu().solve_lower(accepted.lower, false, fresh, 1);
      for (Index r = 0; r < more; ++r)
        for (Index i = 0; i < part.count; ++i) left_[at(part.first + i)] -= fresh(r, i) * fresh(r, i);
      for (Index i = part.first; i < part.first + part.count; ++i)
        if (vanished(left_[at(i)], i)) left_[at(i)] = 0;
    });
    for (const Index i : accepted.positions) {
      left_[at(i)] = 0;
      pivots_.push_back(i);
    }
  }

  const Kernel& kernel_;
  View<const double> x_;
  const Run& run_;
  Random random_;
  Index count_;
  std::uint64_t block_ = 0;
  std::vector<double> diagonal_;
  std::vector<double> left_;
  Matrix factor_;
  std::vector<Index> pivots_;
};

}  // namespace

PivotedCholesky pivoted_cholesky(const Kernel& kernel, View<const double> x, Index count, std::uint64_t seed,
                                 const Run& run) {
  return Search(kernel, x, count, seed, run).find();
}

}  // namespace weft::detail
