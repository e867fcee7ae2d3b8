#include "rfm.hpp"

#include <weft/error.hpp>
#include <weft/feature_map.hpp>

#include "dense.hpp"
#include "json.hpp"
#include "memory.hpp"
#include "random.hpp"
#include "rows.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace weft::papers {

namespace {

constexpr Index kBlockRows = 2048;

std::vector<Index> parse_counts(const std::string& text) {
  std::vector<Index> counts;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    Index count = 0;
    const auto [stop, error] = std::from_chars(at, end, count);
    if (error != std::errc{} || count < 1 || (stop != end && *stop != ',') || stop + 1 == end) {
      counts.clear();
      break;
    }
    counts.push_back(count);
    at = stop == end ? end : stop + 1;
  }
  if (counts.empty())
    throw Error(ErrorKind::option, fmt::format("'{}' is not a list of numbers of features", text), "--features",
                "write 16,64,256");
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

/// b: the largest |ψ|² of a feature (Assumption 1).
double feature_bound(RfmKernel kernel) {
  return kernel == RfmKernel::angular ? 1 : 2;
}

double demanded_lambda(RfmKernel kernel, Index rows, Index features, double delta) {
  return 2 * feature_bound(kernel) / std::sqrt(static_cast<double>(rows)) *
         std::sqrt(std::log(static_cast<double>(features) / delta));
}

struct TrainAndTest {
  Rows train, test;
};

/// Rows of the study, drawn by the seed, each part in the order of the table; the target of mean 0 and largest size 1.
TrainAndTest draw_rows(const Rows& all, const RfmOptions& options) {
  const Index fewest = std::max<Index>(2, options.rows);
  if (all.count() < options.test_rows + fewest)
    throw Error(
        ErrorKind::data,
        fmt::format("{} rows are too few for {} to test on and {} to fit", all.count(), options.test_rows, fewest),
        "--test-rows", "ask for fewer");
  std::vector<Index> order = Random(options.seed, Draws::rows).permutation(all.count());
  const Index count = options.rows > 0 ? options.rows : all.count() - options.test_rows;
  const auto first = order.begin() + options.test_rows;
  std::sort(order.begin(), first);
  std::sort(first, first + count);
  TrainAndTest rows{take_rows(all, {first, first + count}), take_rows(all, {order.begin(), first})};
  double* const y = rows.train.y.data();
  const double mean = std::accumulate(y, y + count, 0.0) / static_cast<double>(count);
  double largest = 0;
  for (Index i = 0; i < count; ++i) largest = std::max(largest, std::abs(y[i] - mean));
  if (largest == 0)
    throw Error(ErrorKind::data, "the target is the same in every row", "--target", "name a column that varies");
  for (Rows* part : {&rows.train, &rows.test})
    for (Index i = 0; i < part->count(); ++i) part->y(0, i) = (part->y(0, i) - mean) / largest;
  return rows;
}

/// ‖a − b‖² (rbf) or ‖a − b‖₁ of all pairs among at most 2000 rows.
std::vector<double> distances(const Rows& rows, bool squared, std::uint64_t seed) {
  constexpr std::size_t kMost = 2000;
  std::vector<Index> order = Random(seed, Draws::landmarks).permutation(rows.count());
  order.resize(std::min(order.size(), kMost));
  const Matrix x = take_rows(rows, order).x;
  std::vector<double> all;
  for (Index i = 0; i < x.cols(); ++i)
    for (Index k = 0; k < i; ++k) {
      double distance = 0;
      for (Index j = 0; j < x.rows(); ++j) {
        const double d = x(j, i) - x(j, k);
        distance += squared ? d * d : std::abs(d);
      }
      all.push_back(distance);
    }
  return all;
}

double bandwidth_of(const Rows& rows, const RfmOptions& options) {
  const bool squared = options.kernel == RfmKernel::rbf;
  if (options.bandwidth != "mean" && options.bandwidth != "median") {
    double number = 0;
    const char* const end = options.bandwidth.data() + options.bandwidth.size();
    const auto [stop, error] = std::from_chars(options.bandwidth.data(), end, number);
    if (error != std::errc{} || stop != end || !(number > 0) || !std::isfinite(number))
      throw Error(ErrorKind::option, fmt::format("'{}' is not a valid bandwidth", options.bandwidth), "--bandwidth",
                  "give mean, median or a positive number");
    return number;
  }
  std::vector<double> all = distances(rows, squared, options.seed);
  double typical = std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
  if (options.bandwidth == "median") {
    const auto middle = all.begin() + static_cast<Index>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    typical = *middle;
  }
  if (!(typical > 0)) return 1;  // rows that are all alike have no scale: every bandwidth gives the same kernel
  return squared ? std::sqrt(typical) : typical;
}

std::vector<double> predictions_of(const std::vector<double>& coefficients, const Matrix& phi) {
  const View<const double> column(coefficients.data(), static_cast<Index>(coefficients.size()), 1);
  const Matrix predictions = transposed_product(column, phi);
  return {predictions.data(), predictions.data() + predictions.cols()};
}

/// Exact kernel ridge regression: its predictions on the test rows and the bound of Theorem 1.
struct Exact {
  std::vector<double> predictions;
  std::vector<double> fitted;  ///< on the rows of the fit
  double effective_dimension = 0;
  double norm = 0;
};

Exact solve_exact(const Kernel& kernel, const TrainAndTest& rows, double lambda, const Run& run) {
  const Index n = rows.train.count();
  const double shift = static_cast<double>(n) * lambda;
  const Matrix k = kernel.gram(rows.train.x, run);
  Matrix factor = k;
  for (Index i = 0; i < n; ++i) factor(i, i) += shift;
  if (!cholesky(factor))
    throw Error(ErrorKind::data, "the kernel matrix is not positive definite", "--lambda", "give a larger lambda");
  std::vector<double> alpha(rows.train.y.row(0), rows.train.y.row(0) + n);
  solve_cholesky(factor, alpha);
  Exact exact;
  for (Index i = 0; i < n; ++i) {
    exact.fitted.push_back(std::inner_product(k.row(i), k.row(i) + n, alpha.begin(), 0.0));
    exact.norm += alpha[static_cast<std::size_t>(i)] * exact.fitted.back();
  }
  for (const double entry : inverse_diagonal(std::move(factor))) exact.effective_dimension += 1 - shift * entry;
  Matrix sections(n, rows.test.count());
  kernel.values(rows.train.x, rows.test.x, sections, run);
  exact.predictions = predictions_of(alpha, sections);
  return exact;
}

struct Approximate {
  std::vector<double> predictions, fitted;  ///< on the test rows, and on the rows of the fit where asked for
};
/// f̃(x) = ψ(x)ᵀ(ΨᵀΨ + nλI)⁻¹Ψᵀy, Ψ = Φ/√s.
Approximate approximate(const FeatureMap& map, const TrainAndTest& rows, double lambda, bool own_rows, const Run& run) {
  const Index s = map.features();
  const Index n = rows.train.count();
  Matrix gram(s, s), phi;
  std::vector<double> solution(static_cast<std::size_t>(s));
  for (Index first = 0; first < n; first += kBlockRows) {
    run.check_cancelled();
    const Index count = std::min(kBlockRows, n - first);
    phi.reshape(s, count);
    map.values(rows.train.x.view().col_range(first, count), phi, run);
    add_gram(View<const double>(phi), gram);
    for (Index t = 0; t < s; ++t) {
      double& cross = solution[static_cast<std::size_t>(t)];
      cross = std::inner_product(phi.row(t), phi.row(t) + count, rows.train.y.row(0) + first, cross);
    }
  }
  for (Index t = 0; t < s; ++t) gram(t, t) += static_cast<double>(s) * static_cast<double>(n) * lambda;
  if (!cholesky(gram))
    throw Error(ErrorKind::data, "the sums of the features are not positive definite", "--lambda",
                "give a larger lambda");
  solve_cholesky(gram, solution);
  const auto predict = [&](const Matrix& x) {
    phi.reshape(s, x.cols());
    map.values(x, phi, run);
    return predictions_of(solution, phi);
  };
  return {predict(rows.test.x), own_rows ? predict(rows.train.x) : std::vector<double>()};
}

double mean_square(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

double mean_square_of(const Matrix& y) {
  return std::inner_product(y.data(), y.data() + y.cols(), y.data(), 0.0) / static_cast<double>(y.cols());
}

/// Mean and standard error over the draws of s features.
RfmPoint measure(const Kernel& kernel, Index features, const RfmOptions& options, const TrainAndTest& rows,
                 const Inputs& inputs, double lambda, const Exact& exact, const Run& run) {
  FamilyOptions family;
  family.family = options.kernel == RfmKernel::angular ? "rks-sign" : std::string("rff-") + name_of(options.kernel);
  family.features = features;
  if (kernel.has_bandwidth()) family.sigma = 1 / kernel.bandwidth();
  const bool signs = options.kernel == RfmKernel::angular;
  double own = 0;
  std::vector<double> errors;
  for (Index r = 0; r < options.repeats; ++r) {
    // Draws of one number begin with those of a smaller one; other seeds keep the points of the curve independent.
    family.seed =
        options.seed + static_cast<std::uint64_t>(r) * 1000003U + static_cast<std::uint64_t>(features) * 7919U;
    const Approximate drawn = approximate(FeatureMap::draw(family, inputs), rows, lambda, signs, run);
    errors.push_back(mean_square(drawn.predictions, exact.predictions));
    if (signs) own += mean_square(drawn.fitted, exact.fitted) / static_cast<double>(options.repeats);
  }
  RfmPoint point{.features = features};
  const auto count = static_cast<double>(errors.size());
  point.mse = std::accumulate(errors.begin(), errors.end(), 0.0) / count;
  double squares = 0;
  for (const double error : errors) squares += (error - point.mse) * (error - point.mse);
  if (errors.size() > 1) point.standard_error = std::sqrt(squares / (count - 1) / count);
  point.plain_bound = exact.norm / static_cast<double>(features);
  point.bound = 4 * feature_bound(options.kernel) * point.plain_bound;
  if (signs) {
    // (λ/(λ + ‖K̃‖/n))² of the proof, and ‖K̃‖ ≤ tr K̃ = n.
    const double factor = lambda / (1 + lambda);
    const double square = mean_square(exact.fitted, std::vector<double>(exact.fitted.size()));
    point.own_mse = own;
    point.lower = factor * factor * (exact.norm - square) / static_cast<double>(features);
  }
  return point;
}

std::optional<double> slope_of(const std::vector<RfmPoint>& points) {
  if (points.size() < 2) return std::nullopt;
  double x = 0, y = 0, xx = 0, xy = 0;
  for (const RfmPoint& point : points) {
    const double log_s = std::log(static_cast<double>(point.features));
    x += log_s;
    y += std::log(point.mse);
    xx += log_s * log_s;
    xy += log_s * std::log(point.mse);
  }
  const auto n = static_cast<double>(points.size());
  return (n * xy - x * y) / (n * xx - x * x);
}

/// What the study cannot look at.
void check_study(const Data& data, const RfmOptions& options) {
  check_options(options);
  if (options.kernel == RfmKernel::angular && options.bandwidth != RfmOptions{}.bandwidth)
    throw Error(ErrorKind::option, "the angular kernel has no bandwidth", "--bandwidth", "leave it out");
  if (!data.options().weights.empty())
    throw Error(ErrorKind::option, "Theorem 1 is about rows that weigh the same", "--weights", "leave it out");
}

[[noreturn]] void throw_too_large(const std::string& what, double needed, const Run& run, const char* option,
                                  const char* hint) {
  constexpr double kMiB = 1024.0 * 1024;
  throw Error(
      ErrorKind::memory,
      fmt::format("{} need {:.0f} MiB, and {:.0f} MiB are allowed", what, needed / kMiB, memory_limit(run) / kMiB),
      option, hint);
}

/// The kernel matrix and its factor with the sections of the test rows; then the sums of the most features.
void check_memory(Index rows, Index test_rows, Index features, const Run& run) {
  const auto n = static_cast<double>(rows);
  const auto tests = static_cast<double>(test_rows);
  const auto s = static_cast<double>(features);
  const double exact = 8 * n * (2 * n + tests);
  const double sums = 8 * s * (s + std::max(tests, static_cast<double>(kBlockRows)));
  if (exact > memory_limit(run))
    throw_too_large(fmt::format("the kernel matrices of {} rows", rows), exact, run, "--rows", "fit fewer rows");
  if (sums > memory_limit(run))
    throw_too_large(fmt::format("the sums of {} features", features), sums, run, "--features", "ask for fewer");
}

}  // namespace

RfmStudy rfm_study(const Data& data, const RfmOptions& options, const EncodeOptions& encode, const Run& given_run) {
  Run run = given_run;
  run.started = Run::Clock::now();
  check_study(data, options);
  check_options(encode);
  const std::vector<Index> counts = parse_counts(options.features);
  const Encoder encoder = Encoder::fit(data, encode, run);
  const TargetInfo& target = encoder.target();
  if (target.task == Task::multiclass || target.names.size() != 1)
    throw Error(ErrorKind::option, "the study is for one number or two classes", "--target", "name one such column");
  check_memory(options.rows > 0 ? options.rows : std::max<Index>(0, encoder.rows_seen() - options.test_rows),
               options.test_rows, counts.back(), run);
  const Rows all = load_rows(encoder, data, run);
  const TrainAndTest rows = draw_rows(all, options);
  std::optional<double> bandwidth;
  if (options.kernel != RfmKernel::angular) bandwidth = bandwidth_of(all, options);
  const Kernel kernel = Kernel::make(name_of(options.kernel), bandwidth, {}, encoder.inputs());

  RfmStudy study{.kernel = options.kernel, .rows = rows.train.count(), .test_rows = rows.test.count()};
  study.bandwidth = bandwidth;
  study.lambda = options.lambda.value_or(demanded_lambda(options.kernel, study.rows, counts.back(), options.delta));
  const Exact exact = solve_exact(kernel, rows, study.lambda, run);
  study.effective_dimension = exact.effective_dimension;
  study.norm = exact.norm;
  study.largest_norm = mean_square_of(rows.train.y) / (4 * study.lambda);
  study.exact_mse = mean_square(exact.predictions, {rows.test.y.data(), rows.test.y.data() + rows.test.y.cols()});
  for (const Index features : counts) {
    study.out_of_time = !study.points.empty() && run.out_of_time();
    if (study.out_of_time) break;
    RfmPoint point = measure(kernel, features, options, rows, encoder.inputs(), study.lambda, exact, run);
    point.demanded_lambda = demanded_lambda(options.kernel, study.rows, features, options.delta);
    point.proven = study.lambda >= point.demanded_lambda;
    point.rate_line = study.points.empty()
                          ? point.mse
                          : study.points.front().mse * static_cast<double>(study.points.front().features) /
                                static_cast<double>(features);
    study.points.push_back(point);
    run.report("features", static_cast<double>(study.points.size()), static_cast<double>(counts.size()));
  }
  study.slope = slope_of(study.points);
  return study;
}

std::string RfmStudy::to_json() const {
  Json json = {{"kernel", name_of(kernel)},
               {"bandwidth", number_to_json(bandwidth)},
               {"rows", rows},
               {"test_rows", test_rows},
               {"lambda", number_to_json(lambda)},
               {"effective_dimension", number_to_json(effective_dimension)},
               {"norm", number_to_json(norm)},
               {"largest_norm", number_to_json(largest_norm)},
               {"exact_mse", number_to_json(exact_mse)},
               {"slope", number_to_json(slope)},
               {"out_of_time", out_of_time}};
  json["points"] = Json::array();
  for (const RfmPoint& point : points)
    json["points"].push_back({{"features", point.features},
                              {"mse", number_to_json(point.mse)},
                              {"standard_error", number_to_json(point.standard_error)},
                              {"rate_line", number_to_json(point.rate_line)},
                              {"bound", number_to_json(point.bound)},
                              {"ratio", number_to_json(point.ratio())},
                              {"plain_bound", number_to_json(point.plain_bound)},
                              {"plain_ratio", number_to_json(point.plain_ratio())},
                              {"own_mse", number_to_json(point.own_mse)},
                              {"lower", number_to_json(point.lower)},
                              {"demanded_lambda", number_to_json(point.demanded_lambda)},
                              {"proven", point.proven}});
  return json.dump(2);
}

}  // namespace weft::papers
