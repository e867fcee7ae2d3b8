// The street from a table to a model: encode, draw, fit, wrap up.
#include <weft/fit.hpp>

#include <weft/version.hpp>

#include "core/stopwatch.hpp"
#include "fit/problem.hpp"
#include "fit/training_rows.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <unistd.h>

namespace weft {

namespace {

FitResult run_fit(const Problem& problem) {
  const std::string& name = problem.options.fit;
  if (name == "lasso") return fit_lasso(problem);
  if (name == "sfgd") return fit_functional_gradient(problem);
  if (name == "optimal-step") return fit_optimal_step(problem);
  if (name == "logistic") return fit_logistic(problem);
  return fit_least_squares(problem);
}

std::string amount(double bytes) {
  constexpr double kGiB = 1024.0 * 1024 * 1024;
  return bytes < kGiB ? fmt::format("{:.0f} MiB", bytes / kGiB * 1024) : fmt::format("{:.1f} GiB", bytes / kGiB);
}

// Fits by sums hold up to five T × T matrices (sums fitted and held out, equations, penalty, factor) and a block of
// features. Returns the bytes that are left for the rows.
double check_memory(const FeatureMap& map, const FitOptions& options, const Run& run) {
  const auto t = static_cast<double>(map.features());
  const double matrices = options.fit == "sfgd" || options.fit == "optimal-step" ? 1 : 5;
  const auto block = static_cast<double>(kBlockRows);
  const double needed = 8 * (matrices * t * t + block * t);
  const double physical = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  const double allowed = run.max_memory > 0 ? run.max_memory : physical;
  if (needed <= allowed) return allowed - needed;
  // The root of 8(matrices·T² + block·T) = allowed.
  const double most = std::floor((std::sqrt(block * block + matrices * allowed / 2) - block) / (2 * matrices));
  throw Error(ErrorKind::memory,
              fmt::format("{} features need {}, {} has {}", map.features(), amount(needed),
                          run.max_memory > 0 ? "--max-memory" : "this machine", amount(allowed)),
              "--features", fmt::format("at most {:.0f} fit", most));
}

template <class T>
std::string option_text(const T& value) {
  if constexpr (is_optional<T>::value)
    return value ? option_text(*value) : std::string{};
  else
    return fmt::format("{}", value);
}

template <class Options>
void store_options(const Options& options, std::map<std::string, std::string>& into) {
  for_each_field<Options>([&](const auto& field) { into[field.name] = option_text(options.*field.member); });
}

void check_combination(const FitOptions& options, const TargetInfo& target) {
  const bool classes = target.task == Task::binary || target.task == Task::multiclass;
  if (options.calibrate && !(classes && options.fit == "least-squares"))
    throw Error(ErrorKind::option, "calibration is for least-squares classifiers", "--calibrate",
                "leave it out, or use --fit logistic for probabilities");
  if (options.std && options.fit != "least-squares")
    throw Error(ErrorKind::option, "standard deviations come from least squares", "--std", "use --fit least-squares");
}

}  // namespace

Model fit(const Data& train, const FamilyOptions& given, const FitOptions& options, const EncodeOptions& encode,
          const Run& given_run, const ActivationPtr& custom) {
  Run run = given_run;
  run.started = Run::Clock::now();
  check_options(given);
  check_options(options);
  check_options(encode);
  const Stopwatch encode_clock;
  const Encoder encoder = Encoder::fit(train, encode, run);
  check_combination(options, encoder.target());
  const FamilyOptions family = resolve_family(given, encoder.inputs().variables());
  const FeatureMap map = FeatureMap::draw(family, encoder.inputs(), custom);
  const double left = check_memory(map, options, run);
  const auto rows = training_rows(encoder, train, options.class_weights, left, run);
  const double encode_seconds = encode_clock.seconds();

  FitResult result = run_fit({map, *rows, encoder.target().task, options, family, run});
  ModelParts parts{.encoder = encoder, .map = map};
  parts.coefficients = std::move(result.coefficients);
  parts.intercepts = std::move(result.intercepts);
  parts.probabilistic = result.probabilistic;
  parts.calibration = std::move(result.calibration);
  parts.variance_factor = std::move(result.variance_factor);
  parts.noise = std::move(result.noise);
  parts.report = std::move(result.report);
  parts.report.seconds.insert(parts.report.seconds.begin(), {"encode", encode_seconds});
  store_options(family, parts.options);
  store_options(options, parts.options);
  store_options(encode, parts.options);
  parts.provenance = {{"data", train.name()},
                      {"rows", std::to_string(encoder.rows_seen())},
                      {"variables", std::to_string(encoder.inputs().variables())},
                      {"library", std::string("weft ") + version()}};
  return Model(std::move(parts));
}

}  // namespace weft
