#include "objective/ridge_choice.hpp"

#include "core/at.hpp"
#include "core/parallel.hpp"
#include "core/stopwatch.hpp"
#include "linalg/normal_equations.hpp"
#include "linalg/ridge_path.hpp"
#include "objective/lambda_grid.hpp"
#include "objective/lambda_path.hpp"

#include <algorithm>
#include <limits>

namespace weft::detail {

namespace {

/// All λs together cost as much as this many one by one, at most (see linalg/ridge_path.cpp); and what follows the
/// choice as much as the second number.
constexpr double kTogether = 20;
constexpr double kAfterwards = 2;

/// Every eighth, then the places half-way between those and their neighbours, and so on.
std::vector<std::size_t> coarse_to_fine(std::size_t count) {
  std::vector<std::size_t> order;
  for (std::size_t step = 8; step >= 1; step /= 2)
    for (std::size_t i = step / 2; i < count; i += step)
      if (std::find(order.begin(), order.end(), i) == order.end()) order.push_back(i);
  return order;
}

/// The grid's λs, solved on the fitted part and scored on the other.
class RidgeGrid {
 public:
  RidgeGrid(const RidgeTerms& terms, const Penalty& penalty, const Accumulator& fitted, const Accumulator& held_out,
            const Run& run)
      : terms_(terms),
        penalty_(penalty),
        fitted_(fitted),
        held_out_(held_out),
        run_(run),
        equations_(normal_equations(fitted, terms.intercept, run.thread_count())),
        worker_(Worker::for_equations(run, fitted.features())),
        grid_(lambda_grid(equations_, penalty, kGridLambdas)) {
    penalty.add_ridge(equations_);
  }

  const std::vector<double>& lambdas() const { return grid_; }

  std::vector<double> all_errors() const {
    std::vector<double> scaled;
    for (const double lambda : grid_) scaled.push_back(lambda * equations_.weight);
    const RidgePath path = ridge_path(equations_.gram, penalty_.matrix, scaled, terms_.epsilon * equations_.weight,
                                      equations_.cross, worker_);
    const std::vector<double> forms =
        worker_.device->has_own_memory() ? held_out_forms(path.coefficients) : std::vector<double>();
    std::vector<double> errors(path.coefficients.size());
    parallel_for(static_cast<Index>(errors.size()), run_.thread_count(), [&](Index i) {
      const Matrix& coefficients = path.coefficients[at(i)];
      errors[at(i)] = error_of(coefficients, forms.empty() ? nullptr : &forms[at(i * coefficients.cols())]);
    });
    return errors;
  }

  /// Infinite for those that there was no time for; one is tried in any case. After it, it is known whether there is
  /// time for all.
  std::vector<double> errors_in_time() const {
    std::vector<double> errors(grid_.size(), std::numeric_limits<double>::infinity());
    double longest = 0;
    for (const std::size_t i : coarse_to_fine(grid_.size())) {
      if (longest > 0 && run_.seconds_left() < (1 + kAfterwards) * longest) break;
      const Stopwatch clock;
      errors[i] = error_of(solve_regularised(equations_.gram, penalty_.matrix, grid_[i] * equations_.weight,
                                             terms_.epsilon * equations_.weight, equations_.cross, worker_)
                               .coefficients);
      if (longest == 0 && run_.seconds_left() > (kTogether + kAfterwards) * clock.seconds()) return all_errors();
      longest = std::max(longest, clock.seconds());
    }
    return errors;
  }

 private:
  /// bᵀΦᵀWΦb over the held-out rows, for every λ's b of every output, by one product on the device.
  std::vector<double> held_out_forms(const std::vector<Matrix>& path) const {
    const Index outputs = held_out_.targets(), columns = static_cast<Index>(path.size()) * outputs;
    Matrix all(held_out_.features(), columns);
    for (std::size_t k = 0; k < path.size(); ++k)
      for (Index t = 0; t < all.rows(); ++t)
        std::copy_n(path[k].row(t), outputs, all.row(t) + static_cast<Index>(k) * outputs);
    const Device& device = *worker_.device;
    DeviceMatrix<double> products(device, all.rows(), columns);
    device.clear(products);
    device.add_symmetric_product(1, LowerOnDevice(device, held_out_.gram_lower()).there(), all, products,
                                 worker_.threads);
    const Matrix there = products.on_host();
    std::vector<double> forms(at(columns));
    for (Index t = 0; t < all.rows(); ++t)
      for (Index c = 0; c < columns; ++c) forms[at(c)] += all(t, c) * there(t, c);
    return forms;
  }

  /// `forms`: held_out_forms() of these coefficients, where they were made.
  double error_of(const Matrix& coefficients, const double* forms = nullptr) const {
    const std::vector<double> intercepts = equations_.intercepts(coefficients);
    double error = 0;
    // In units of the variance among the fitted rows: a class that none of the held-out rows has must not decide alone.
    for (Index o = 0; o < coefficients.cols(); ++o)
      if (const double variance = total_variance(fitted_, o); variance > 0)
        error += (forms == nullptr ? squared_error(held_out_, coefficients, intercepts, o)
                                   : squared_error(held_out_, coefficients, intercepts, o, forms[o])) /
                 variance;
    return error / static_cast<double>(coefficients.cols());
  }

  const RidgeTerms& terms_;
  const Penalty& penalty_;
  const Accumulator& fitted_;
  const Accumulator& held_out_;
  const Run& run_;
  NormalEquations equations_;
  Worker worker_;
  std::vector<double> grid_;
};

}  // namespace

RidgeChoice choose_ridge(const RidgeTerms& terms, const Penalty& penalty, const Accumulator& fitted,
                         const Accumulator& held_out, const Run& run) {
  const RidgeGrid grid(terms, penalty, fitted, held_out, run);
  RidgeChoice choice{.grid = grid.lambdas(), .errors = run.max_seconds > 0 ? grid.errors_in_time() : grid.all_errors()};
  const std::optional<std::size_t> chosen = LambdaPath{choice.grid, choice.errors}.largest_good();
  if (!chosen)
    throw Error(ErrorKind::data, "no lambda gives finite predictions on the held-out rows", "‹lambda›",
                "give a lambda, and look for extreme values in the inputs");
  choice.effective = choice.grid[*chosen];
  choice.error = choice.errors[*chosen];
  return choice;
}

}  // namespace weft::detail
