// Least squares whose T × T matrices are shared out over processes: gram of both parts, penalty and factor, all in
// tiles.
#include "core/at.hpp"
#include "core/parallel.hpp"
#include "core/stopwatch.hpp"
#include "linalg/cyclic_ridge.hpp"
#include "linalg/linear_scores.hpp"
#include "methods/least_squares/cyclic_sums.hpp"
#include "methods/least_squares/least_squares.hpp"
#include "objective/lambda_grid.hpp"
#include "objective/lambda_path.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace weft::detail {

namespace {

constexpr double kConstantFeature = 1e-12;  // as for sums that one process holds
constexpr Index kScoredRows = 8192;
constexpr Index kStrip = 256;

/// R among the features of every own tile.
CyclicMatrix cyclic_penalty(const Penalty& penalty, const FeatureMap& map, const CyclicLayout& layout, const Run& run) {
  CyclicMatrix matrix(layout);
  const Index tile = layout.grid.tile;
  const auto tiles = [&](const std::vector<Index>& numbers) {
    return (static_cast<Index>(numbers.size()) + tile - 1) / tile;
  };
  const auto numbers = [&](const std::vector<Index>& all, Index k) {
    return std::vector<Index>(all.begin() + k * tile,
                              all.begin() + std::min<Index>((k + 1) * tile, static_cast<Index>(all.size())));
  };
  for (Index b = 0; b < tiles(layout.cols); ++b)
    for (Index a = 0; a < tiles(layout.rows); ++a) {
      const std::vector<Index> rows = numbers(layout.rows, a), cols = numbers(layout.cols, b);
      if (rows.front() < cols.front()) continue;
      std::vector<Index> both = cols;
      if (rows.front() != cols.front()) both.insert(both.end(), rows.begin(), rows.end());
      const Matrix block = penalty_matrix(penalty, map.subset(both), run);
      const Index below = static_cast<Index>(both.size() - rows.size());
      for (Index c = 0; c < static_cast<Index>(cols.size()); ++c)
        for (Index r = 0; r < static_cast<Index>(rows.size()); ++r)
          matrix(b * tile + c, a * tile + r) = block(below + r, c);
    }
  return matrix;
}

class CyclicFit {
 public:
  explicit CyclicFit(const Problem& problem)
      : problem_(problem),
        processes_(*problem.rows.share()->processes),
        epsilon_(problem.options.own<LeastSquaresOptions>().epsilon),
        layout_(problem.map.features(), processes_.solver()->grid()),
        penalty_(penalty_without_matrix(problem.map, problem.options.own<LeastSquaresOptions>().regularizer)),
        part_of_(held_out_part(problem)) {}

  FitResult run() {
    time("penalty", [&] {
      if (penalty_.kind != Regularizer::ridge)
        matrix_.emplace(cyclic_penalty(penalty_, problem_.map, layout_, problem_.run));
      penalties_ = matrix_ ? matrix_->diagonal(processes_) : std::vector<double>(at(layout_.size), 1.0);
    });
    time("accumulate", [&] { sums_ = accumulate_cyclic(problem_, layout_, part_of_); });
    for (const CyclicSums& part : sums_.parts)
      if (!(part.weight > 0))
        throw Error(ErrorKind::data, "there are too few rows (of positive weight) to hold some out", {},
                    "give more rows");
    factor_.emplace(layout_);
    time("solve", [&] { solve(); });
    return std::move(result_);
  }

 private:
  template <class Work>
  void time(const char* stage, const Work& work) {
    const Stopwatch clock;
    work();
    result_.report.seconds.emplace_back(stage, clock.seconds());
  }

  CyclicEquations equations_of(const CyclicSums& sums) {
    const Index k = sums.targets();
    const auto size = at(layout_.size);
    CyclicEquations equations{.layout = layout_,
                              .processes = processes_,
                              .gram = sums.gram,
                              .regulariser = matrix_ ? &*matrix_ : nullptr,
                              .cross = Matrix(layout_.size, k),
                              .means = std::vector<double>(size),
                              .weight = sums.weight,
                              .constant = std::vector<bool>(size),
                              .diagonal = sums.gram.diagonal(processes_),
                              .penalties = penalties_};
    for (Index t = 0; t < layout_.size; ++t) {
      double& diagonal = equations.diagonal[at(t)];
      if (problem_.options.intercept) {
        const double mean = sums.moments(t, k) / sums.weight;
        equations.means[at(t)] = mean;
        equations.constant[at(t)] = diagonal - sums.weight * mean * mean <= kConstantFeature * diagonal;
        diagonal = equations.constant[at(t)] ? 0 : diagonal - sums.weight * mean * mean;
      }
      for (Index o = 0; o < k; ++o)
        equations.cross(t, o) =
            equations.constant[at(t)] ? 0 : sums.moments(t, o) - equations.means[at(t)] * sums.target_sums[at(o)];
    }
    return equations;
  }

  std::vector<double> intercepts(const CyclicSums& sums, const CyclicEquations& equations, const Matrix& b) const {
    std::vector<double> result(at(b.cols()));
    if (!problem_.options.intercept) return result;
    for (Index o = 0; o < b.cols(); ++o) {
      result[at(o)] = sums.target_sums[at(o)] / sums.weight;
      for (Index t = 0; t < b.rows(); ++t) result[at(o)] -= equations.means[at(t)] * b(t, o);
    }
    return result;
  }

  CyclicSolution solved(const CyclicEquations& equations, double lambda) {
    return solve_cyclic(equations, lambda * equations.weight, epsilon_ * equations.weight, *factor_);
  }

  /// Held out, in units of the variance among the fitted rows.
  double held_out_error(const Matrix& b, const std::vector<double>& c) const {
    const std::vector<double> errors = sums_.parts[1].squared_errors(b, c, processes_);
    double error = 0;
    for (Index o = 0; o < b.cols(); ++o)
      if (const double variance = sums_.parts[0].variance(o); variance > 0) error += errors[at(o)] / variance;
    return error / static_cast<double>(b.cols());
  }

  struct Trial {
    double lambda = 0;
    Matrix coefficients;
    std::vector<double> intercepts;
  };

  /// The λ that is given or the best of the grid, with the fit to the rows that are not held out. One factorisation per
  /// λ: the reduction to a tridiagonal matrix that one process uses spends half its time in products of a matrix and a
  /// vector, which processes do not share well.
  Trial choose() {
    const CyclicSums& fitted = sums_.parts[0];
    const CyclicEquations equations = equations_of(fitted);
    std::vector<double> grid = {problem_.options.lambda ? penalty_.effective(*problem_.options.lambda) : 0};
    if (!problem_.options.lambda) {
      double balance = 0;
      for (std::size_t t = 0; t < penalties_.size(); ++t)
        balance = std::max(balance, equations.diagonal[t] / equations.weight / penalties_[t]);
      grid = lambda_grid(balance, kGridLambdas);
    }
    LambdaPath path;
    std::vector<Trial> trials;
    for (const double lambda : grid) {
      Matrix b = solved(equations, lambda).coefficients;
      std::vector<double> c = intercepts(fitted, equations, b);
      path.lambdas.push_back(lambda);
      path.errors.push_back(held_out_error(b, c));
      trials.push_back({lambda, std::move(b), std::move(c)});
      problem_.run.check_cancelled();
      problem_.run.report("lambda", static_cast<double>(trials.size()), static_cast<double>(grid.size()));
    }
    const std::optional<std::size_t> best = path.largest_good();
    if (!best)
      throw Error(ErrorKind::data, "no lambda gives finite predictions on the held-out rows", "‹lambda›",
                  "give a lambda, and look for extreme values in the inputs");
    result_.report.set("held_out_error", path.errors[*best]);
    if (grid.size() > 1 && (*best == 0 || *best + 1 == grid.size()))
      result_.report.set("lambda_at", *best == 0 ? "upper end of the grid" : "lower end of the grid");
    return std::move(trials[*best]);
  }

  void solve() {
    // ScaLAPACK would take a thread per core in every process.
    std::optional<SerialBlas> serial;
    if (problem_.run.thread_count() == 1) serial.emplace();
    result_.report.set("regularizer", name_of(penalty_.kind));
    const Trial trial = choose();
    score(trial);
    sums_.parts[0].merge(sums_.parts[1]);
    sums_.parts.pop_back();
    const CyclicSums& all = sums_.parts[0];
    const CyclicEquations equations = equations_of(all);
    CyclicSolution solution = solved(equations, trial.lambda);
    report_solution(result_.report, solution.report);
    result_.report.set("lambda",
                       problem_.options.lambda ? *problem_.options.lambda : penalty_.user_lambda(trial.lambda));
    result_.report.set("matrices", fmt::format("shared out over {} processes", processes_.size()));
    result_.coefficients = std::move(solution.coefficients);
    result_.intercepts = intercepts(all, equations, result_.coefficients);
    double mse = 0;
    for (const double error : all.squared_errors(result_.coefficients, result_.intercepts, processes_))
      mse += error / static_cast<double>(all.targets());
    result_.report.set("train_mse", mse);
    for (std::size_t o = 0; o < sums_.shift.size(); ++o) result_.intercepts[o] += sums_.shift[o];
  }

  /// A sample of the held-out rows by the fit to the others: for intervals and probabilities.
  void score(const Trial& trial) {
    ScoredRows scored(problem_.rows.outputs());
    std::vector<double> shifted = trial.intercepts;
    for (std::size_t o = 0; o < shifted.size(); ++o) shifted[o] += sums_.shift[o];
    const double held = problem_.options.lambda_holdout * static_cast<double>(problem_.rows.rows());
    const Random random(1, RandomStream::fit);
    Matrix phi, scores;
    problem_.rows.for_each([&](const TrainingBlock& block) {
      for (Index first = 0; first < block.rows(); first += kStrip) {
        const Index count = std::min(kStrip, block.rows() - first);
        phi.reshape(problem_.map.features(), count);
        scores.reshape(block.y.rows, count);
        problem_.map.smoothings(block.x.col_range(first, count), phi.view(), problem_.run);
        linear_scores(trial.coefficients, shifted, phi, scores, problem_.run.thread_count());
        for (Index i = 0; i < count; ++i) {
          const Index row = block.first_row + first + i;
          if (part_of_(row) != 1 || random.uniform(static_cast<std::uint64_t>(row)) * held > kScoredRows) continue;
          for (Index o = 0; o < scores.rows(); ++o) scored.add(block, first + i, o, scores(o, i));
          if (block.weights != nullptr) scored.weights.push_back(block.weights[first + i]);
        }
      }
      return true;
    });
    scored.gather(problem_.rows.share());
    result_.left_out = {std::move(scored), ScoredBy::held_out_rows};
    if (problem_.task != Task::regression) result_.calibration = result_.left_out.rows.common_sigmoid();
  }

  const Problem& problem_;
  Communicator& processes_;
  double epsilon_;
  CyclicLayout layout_;
  Penalty penalty_;  // without its matrix
  PartOf part_of_;
  std::optional<CyclicMatrix> matrix_, factor_;  // of the penalty; of the equations
  std::vector<double> penalties_;
  CyclicParts sums_;
  FitResult result_;
};

void refuse_option(bool given, const char* field) {
  if (given)
    throw Error(ErrorKind::option, "it is not supported where the matrices are shared out over processes",
                option_mark(field), "leave it out, use fewer features, or give more memory");
}

}  // namespace

FitResult fit_cyclic(const Problem& problem) {
  const auto& own = problem.options.own<LeastSquaresOptions>();
  refuse_option(own.std, "std");
  refuse_option(own.calibrate, "calibrate");
  refuse_option(own.precision == Precision::float32, "precision");
  refuse_option(own.coefficient_ridge > 0, "coefficient_ridge");
  return CyclicFit(problem).run();
}

}  // namespace weft::detail
