#include "methods/least_squares/cyclic_sums.hpp"

#include "compute/device.hpp"
#include "core/at.hpp"
#include "data/rows/rows_everywhere.hpp"
#include "methods/partitioned_block.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weft::detail {

namespace {

/// Features of so many rows are held at once, T/p + T/q of each.
constexpr Index kStripRows = 512;
constexpr Index kParts = 2;

class CyclicAccumulation {
 public:
  CyclicAccumulation(const Problem& problem, const CyclicLayout& layout, const PartOf& part_of)
      : problem_(problem),
        part_of_(part_of),
        layout_(layout),
        of_rows_(problem.map.subset(layout.rows)),
        of_cols_(problem.map.subset(layout.cols)),
        result_{{}, std::vector<double>(at(problem.rows.outputs()))} {
    for (Index p = 0; p < kParts; ++p) result_.parts.emplace_back(layout, problem.rows.outputs());
  }

  void add(const TrainingBlock& block) {
    if (block.first_row == 0 && problem_.options.intercept)
      for (Index o = 0; o < block.y.rows; ++o)
        result_.shift[at(o)] =
            std::accumulate(block.y.row(o), block.y.row(o) + block.rows(), 0.0) / static_cast<double>(block.rows());
    for (Index first = 0; first < block.rows(); first += kStripRows) {
      const Index count = std::min(kStripRows, block.rows() - first);
      add_strip({block.x.col_range(first, count), block.y.col_range(first, count),
                 block.weights == nullptr ? nullptr : block.weights + first, block.first_row + first});
    }
    problem_.run.report("accumulate", static_cast<double>(block.first_row + block.rows()),
                        static_cast<double>(problem_.rows.rows()));
  }

  CyclicParts finish(Communicator& processes) && {
    for (CyclicSums& sums : result_.parts)
      processes.add_up(sums.moments.data(), at(sums.moments.rows() * sums.moments.cols()));
    return std::move(result_);
  }

 private:
  void add_strip(const TrainingBlock& strip) {
    const TrainingBlock rows = partitioned_.partition(strip, kParts, part_of_);
    phi_rows_.reshape(of_rows_.features(), rows.rows());
    phi_cols_.reshape(of_cols_.features(), rows.rows());
    of_rows_.smoothings(rows.x, phi_rows_.view(), problem_.run);
    of_cols_.smoothings(rows.x, phi_cols_.view(), problem_.run);
    if (rows.weights != nullptr)
      for (Matrix* phi : {&phi_rows_, &phi_cols_})
        for (Index t = 0; t < phi->rows(); ++t)
          for (Index i = 0; i < phi->cols(); ++i) (*phi)(t, i) *= std::sqrt(rows.weights[i]);
    for (Index p = 0; p < kParts; ++p) {
      const Index first = partitioned_.starts()[at(p)];
      const Index count = partitioned_.starts()[at(p + 1)] - first;
      if (count > 0) add_part(rows, first, count, result_.parts[at(p)]);
    }
  }

  void add_part(const TrainingBlock& rows, Index first, Index count, CyclicSums& sums) {
    const View<const double> of_rows = phi_rows_.view().col_range(first, count);
    sums.gram.add_products(of_rows, phi_cols_.view().col_range(first, count), problem_.run.thread_count());
    Matrix right(sums.targets() + 1, count);  // √w y and √w: the features have the other √w
    for (Index i = 0; i < count; ++i) {
      const double weight = rows.weights == nullptr ? 1 : rows.weights[first + i];
      sums.weight += weight;
      right(sums.targets(), i) = std::sqrt(weight);
      for (Index o = 0; o < sums.targets(); ++o) {
        const double y = rows.y(o, first + i) - result_.shift[at(o)];
        right(o, i) = std::sqrt(weight) * y;
        sums.yy[at(o)] += weight * y * y;
        sums.target_sums[at(o)] += weight * y;
      }
    }
    if (layout_.grid.col != 0) return;  // one of those that have these rows
    Matrix moments(of_rows.rows, right.rows());
    cpu().multiply(1, of_rows, transpose(right.view()), 0, moments);
    for (Index r = 0; r < moments.rows(); ++r)
      for (Index c = 0; c < moments.cols(); ++c) sums.moments(layout_.rows[at(r)], c) += moments(r, c);
  }

  const Problem& problem_;
  const PartOf& part_of_;
  const CyclicLayout& layout_;
  FeatureMap of_rows_, of_cols_;
  CyclicParts result_;
  PartitionedBlock partitioned_;
  Matrix phi_rows_, phi_cols_;
};

}  // namespace

CyclicSums::CyclicSums(const CyclicLayout& layout, Index targets)
    : gram(layout), moments(layout.size, targets + 1), yy(at(targets)), target_sums(at(targets)) {}

void CyclicSums::merge(const CyclicSums& other) {
  gram.add(other.gram);
  for (Index t = 0; t < moments.rows(); ++t)
    for (Index c = 0; c < moments.cols(); ++c) moments(t, c) += other.moments(t, c);
  for (std::size_t o = 0; o < yy.size(); ++o) {
    yy[o] += other.yy[o];
    target_sums[o] += other.target_sums[o];
  }
  weight += other.weight;
}

double CyclicSums::variance(Index output) const {
  const double mean = target_sums[at(output)] / weight;
  return std::max(0.0, yy[at(output)] / weight - mean * mean);
}

std::vector<double> CyclicSums::squared_errors(const Matrix& coefficients, const std::vector<double>& intercepts,
                                               Communicator& processes) const {
  const Matrix products = gram.product(coefficients, processes);
  std::vector<double> errors;
  for (Index o = 0; o < targets(); ++o) {
    const double c = intercepts[at(o)];
    double sum = yy[at(o)] - 2 * c * target_sums[at(o)] + c * c * weight;
    for (Index t = 0; t < products.rows(); ++t)
      sum += coefficients(t, o) * (products(t, o) - 2 * moments(t, o) + 2 * c * moments(t, targets()));
    errors.push_back(std::max(0.0, sum) / weight);
  }
  return errors;
}

CyclicParts accumulate_cyclic(const Problem& problem, const CyclicLayout& layout, const PartOf& part_of) {
  CyclicAccumulation sums(problem, layout, part_of);
  for_each_everywhere(problem.rows, [&](const TrainingBlock& block) { sums.add(block); });
  return std::move(sums).finish(*problem.rows.share()->processes);
}

}  // namespace weft::detail
