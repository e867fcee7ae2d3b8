// The street from a table to a model: encode, draw, fit, wrap up.
#include <weft/fit.hpp>

#include <weft/version.hpp>

#include "core/memory.hpp"
#include "core/stopwatch.hpp"
#include "features/draws.hpp"
#include "methods/kernel/kernel_checks.hpp"
#include "methods/problem.hpp"
#include "sampling/sample_map.hpp"
#include "train/make_map.hpp"
#include "train/stored_options.hpp"
#include "train/training_rows.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/ranges.h>

namespace weft::detail {

namespace {

// T × T matrices held at once. Fits by sums: sums fitted and held out, equations, penalty, factor; calibration has the
// sums of three folds besides, standard deviations keep a factor. The descents hold none and count the rest themselves.
double square_matrices(const FitOptions& options) {
  if (options.fit == "sfgd" || options.fit == "optimal-step") return 0;
  return 5 + (options.std ? 1 : 0) + (options.calibrate ? 3 : 0);
}

/// T before anything is drawn: the counts of a union add up where each is given.
double feature_count(const FamilyOptions& family, const ActivationPtr& custom) {
  double named = 0;
  for (const FamilyPart& part : parse_family(family.family, custom)) {
    if (part.features == 0) return static_cast<double>(family.features);
    named += static_cast<double>(part.features);
  }
  return named;
}

// Square matrices, the centres, and a block of features. Returns the bytes that are left for the rows.
double check_features_memory(double features, Index inputs, const FitOptions& options, const Run& run) {
  const double matrices = square_matrices(options);
  const double per_feature = static_cast<double>(inputs) + (matrices > 0 ? static_cast<double>(kBlockRows) : 0);
  const double needed = 8 * (matrices * features * features + per_feature * features);
  const double allowed = memory_limit(run);
  if (needed <= allowed) return allowed - needed;
  // The root of 8(matrices·T² + per_feature·T) = allowed, written so that there may be no matrices.
  const double most =
      std::floor(allowed / 4 / (per_feature + std::sqrt(per_feature * per_feature + matrices * allowed / 2)));
  throw_too_large(fmt::format("{:.0f} features", features), needed, run, "--features",
                  fmt::format("at most {:.0f} fit", most));
}

struct OptionUse {
  std::string option;
  std::vector<std::string> fits;
};

/// Options that only some fits read; all fits read the others.
const std::vector<OptionUse>& option_uses() {
  static const std::vector<OptionUse> uses = {
      {"regularizer", {"least-squares", "sfgd", "optimal-step", "logistic", "learned-activation"}},
      {"epsilon", {"least-squares"}},
      {"loss", {"sfgd", "optimal-step", "learned-activation"}},
      {"huber_delta", {"sfgd", "optimal-step"}},
      {"precision", {"least-squares", "lasso"}},
      {"calibrate", {"least-squares", "kernel-ridge"}},
      {"std", {"least-squares"}},
      {"lasso_scale", {"lasso"}},
      {"nonzeros", {"lasso"}},
      {"tolerance", {"lasso", "logistic", "kernel-ridge", "learned-activation"}},
      {"iterations", {"sfgd", "optimal-step", "logistic", "kernel-ridge", "learned-activation"}},
      {"batch", {"sfgd", "optimal-step", "learned-activation"}},
      {"features_per_step", {"sfgd"}},
      {"radius", {"sfgd"}},
      {"checkpoint", {"sfgd", "optimal-step", "logistic"}},
      {"resume", {"sfgd", "optimal-step", "logistic"}},
      {"kernel", {"kernel-ridge"}},
      {"bandwidth", {"kernel-ridge"}},
      {"landmarks", {"kernel-ridge"}},
      {"landmark_sampling", {"kernel-ridge"}},
      {"basis", {"learned-activation"}},
      {"grid_points", {"learned-activation"}},
      {"grid_range", {"learned-activation"}},
      {"basis_width", {"learned-activation"}},
      {"degree", {"learned-activation"}},
      {"smoothness", {"learned-activation"}},
      {"starts", {"learned-activation"}},
      {"solver", {"kernel-ridge", "learned-activation"}},
      {"epochs", {"learned-activation"}},
      {"learning_rate", {"learned-activation"}},
  };
  return uses;
}

/// The fits that read an option; nullptr: all.
const std::vector<std::string>* fits_reading(const std::string& option) {
  for (const OptionUse& use : option_uses())
    if (use.option == option) return &use.fits;
  return nullptr;
}

void check_use(const char* option, const std::string& fit) {
  if (!fit_reads(fit, option))
    throw Error(ErrorKind::option, fmt::format("--fit {} does not use it", fit), "--" + option_name(option),
                fmt::format("leave it out, or use --fit {}", fmt::join(*fits_reading(option), " or ")));
}

void check_target(const FitOptions& options, const TargetInfo& target) {
  if (options.calibrate && target.task != Task::binary && target.task != Task::multiclass)
    throw Error(ErrorKind::option, "calibration is for classifiers", "--calibrate",
                "leave it out, or use --task classification if the numbers are classes");
}

struct Encoding {
  Encoder encoder;
  std::unique_ptr<BlockSource> unlabelled;  ///< those rows, where there are any
};

/// The target is that of the training rows; the inputs are encoded as the unlabelled rows have them, where there are
/// any, because a few labelled rows know neither all categories nor the scales.
Encoding fit_encoding(const Data& train, const Data* unlabelled, const EncodeOptions& encode, const Run& run) {
  if (unlabelled == nullptr) return {Encoder::fit(train, encode, run), nullptr};
  const Encoder inputs = Encoder::fit_inputs(*unlabelled, encode, run);
  return {inputs.with_target_of(train, run), input_rows(inputs, *unlabelled, run)};
}

}  // namespace

}  // namespace weft::detail

namespace weft {

using namespace detail;

bool fit_reads(const std::string& fit, const std::string& option) {
  const std::vector<std::string>* fits = fits_reading(option);
  return fits == nullptr || std::find(fits->begin(), fits->end(), fit) != fits->end();
}

}  // namespace weft

namespace weft::detail {

void check_fit_options(const FitOptions& options, const FamilyOptions& family) {
  const FitOptions defaults;
  for_each_field<FitOptions>([&](const auto& field) {
    if (options.*field.member != defaults.*field.member) check_use(field.name, options.fit);
  });
  if (options.resume && options.checkpoint.empty())
    throw Error(ErrorKind::option, "there is nothing to resume from", "--resume", "name the file with --checkpoint");
  if (options.huber_delta != defaults.huber_delta && options.loss != "huber")
    throw Error(ErrorKind::option, "the loss is not the Huber loss", "--huber-delta", "use --loss huber");
  if (options.lambda && options.nonzeros > 0)
    throw Error(ErrorKind::option, "the number of features is to choose lambda, and lambda is given", "--nonzeros",
                "give --lambda or --nonzeros");
  check_sampling_options(family);
  if (options.fit == "kernel-ridge") check_kernel_options(family, options);
}

double check_memory(const FamilyOptions& family, Index inputs, const FitOptions& options, const Run& run,
                    const ActivationPtr& custom) {
  return check_features_memory(feature_count(family, custom), inputs, options, run);
}

FitResult fit_problem(const Problem& problem) {
  const std::string& name = problem.options.fit;
  if (name == "lasso") return fit_lasso(problem);
  if (name == "sfgd") return fit_functional_gradient(problem);
  if (name == "optimal-step") return fit_optimal_step(problem);
  if (name == "logistic") return fit_logistic(problem);
  if (name == "kernel-ridge") return fit_kernel_ridge(problem);
  if (name == "learned-activation") return fit_learned_activation(problem);
  return fit_least_squares(problem);
}

FamilyOptions family_for(const FitOptions& options, FamilyOptions family) {
  if (options.fit == "learned-activation" && family.family == "auto") family.family = "rks-relu";
  return family;
}

void check_family(const FitOptions& options, const std::vector<FamilyPart>& parts) {
  if (options.fit != "learned-activation") return;
  if (parts.size() > 1)
    throw Error(ErrorKind::option, "a learned activation belongs to one family, and this is a union", "--family",
                "name one, such as rks-relu");
  if (parts.front().family.amplitude != 1)
    throw Error(ErrorKind::option, "random Fourier features are cosines, and the activation is to be learned",
                "--family", "use rks-cos");
}

void store_result(FitResult result, ModelParts& parts) {
  if (result.map) parts.map = *std::move(result.map);
  parts.coefficients = std::move(result.coefficients);
  parts.intercepts = std::move(result.intercepts);
  parts.probabilistic = result.probabilistic;
  parts.calibration = std::move(result.calibration);
  parts.variance_factor = std::move(result.variance_factor);
  parts.variance_means = std::move(result.variance_means);
  parts.intercept_variance = result.intercept_variance;
  parts.noise = std::move(result.noise);
  parts.report = std::move(result.report);
}

void store_origin(const FamilyOptions& family, const FitOptions& options, const std::string& data, Index rows,
                  ModelParts& parts) {
  store_options(family, parts.options);
  store_options(options, parts.options);
  store_options(parts.encoder.options(), parts.options);
  parts.provenance = {{"data", data},
                      {"rows", std::to_string(rows)},
                      {"variables", std::to_string(parts.encoder.inputs().variables())},
                      {"library", std::string("weft ") + version()}};
}

}  // namespace weft::detail

namespace weft {

using namespace detail;

Model fit(const Data& train, const FamilyOptions& given, const FitOptions& options, const EncodeOptions& encode,
          const Run& given_run, const ActivationPtr& custom, const Data* unlabelled) {
  Run run = given_run;
  run.started = Run::Clock::now();
  check_options(given);
  check_options(options);
  check_options(encode);
  check_fit_options(options, given);
  const bool kernel = options.fit == "kernel-ridge";
  const Stopwatch encode_clock;
  const auto [encoder, others] = fit_encoding(train, unlabelled, encode, run);
  check_target(options, encoder.target());
  FamilyOptions family = kernel ? given : resolve_family(family_for(options, given), encoder.inputs().variables());
  if (!kernel) check_family(options, parse_family(family.family, custom));
  const Index inputs = encoder.inputs().columns();
  const double left = kernel ? check_kernel_memory(encoder.rows_seen(), inputs, options, run)
                             : check_memory(family, inputs, options, run, custom);
  const auto rows = training_rows(encoder, train, options.class_weights, left, run);
  const double encode_seconds = encode_clock.seconds();
  const Stopwatch sample_clock;
  const SamplingRows judges{*rows, others ? *others : *rows};
  const FittedMap made = make_map(family, options, encoder.inputs(), judges, encoder.target().task, run, custom);
  if (kernel) family.family = made.map.sections()->kernel.name();  // what the model's options say it was fitted with
  const double sample_seconds = sample_clock.seconds();

  ModelParts parts{.encoder = encoder, .map = made.map};
  store_result(fit_problem({made.map, *rows, encoder.target().task, options, family, run, made.shares}), parts);
  for (const auto& [name, value] : made.report.numbers) parts.report.set(name, value);
  for (const std::string& warning : made.report.warnings) parts.report.warnings.push_back(warning);
  if (kernel || samples_from_data(family))
    parts.report.seconds.insert(parts.report.seconds.begin(), {"sample", sample_seconds});
  parts.report.seconds.insert(parts.report.seconds.begin(), {"encode", encode_seconds});
  store_origin(family, options, train.name(), encoder.rows_seen(), parts);
  return Model(std::move(parts));
}

}  // namespace weft
