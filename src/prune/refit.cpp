#include "prune/refit.hpp"

#include "train/stored_options.hpp"

#include <fmt/format.h>

namespace weft::detail {

namespace {

FitOptions refit_options(const ModelParts& parts) {
  auto options = stored_options<FitOptions>(parts.options);
  if (options.fit == "least-squares") return options;
  FitOptions plain;
  plain.intercept = options.intercept;
  plain.precision = options.precision;
  plain.class_weights = options.class_weights;
  plain.lambda_holdout = options.lambda_holdout;
  return plain;
}

}  // namespace

void check_refit(const FitOptions& options) {
  if (options.fit != "least-squares" && options.fit != "lasso")
    throw Error(ErrorKind::option, fmt::format("the model was fitted by {}, not by least squares", options.fit),
                "--refit", "use --refit projection");
}

ModelParts keep_features(const ModelParts& parts, const std::vector<Index>& features, const Pruned& pruned,
                         std::vector<std::string>& notes) {
  ModelParts small{.encoder = parts.encoder, .map = parts.map.subset(features)};
  const Index outputs = pruned.coefficients.cols();
  small.coefficients = Matrix(static_cast<Index>(features.size()), outputs);
  for (Index i = 0; i < small.coefficients.rows(); ++i)
    std::copy_n(pruned.coefficients.row(features[static_cast<std::size_t>(i)]), outputs, small.coefficients.row(i));
  small.intercepts = pruned.intercepts;
  small.probabilistic = parts.probabilistic;
  small.options = parts.options;
  small.provenance = parts.provenance;
  if (!parts.calibration.slope.empty())
    notes.push_back("the calibration belonged to other scores and is gone; --refit least-squares makes a new one");
  if (parts.variance_factor.rows() > 0)
    notes.push_back(
        "standard deviations belonged to other coefficients and are gone; --refit least-squares keeps them");
  return small;
}

ModelParts refit_features(const ModelParts& parts, const std::vector<Index>& features, const BlockSource& rows,
                          const Run& run) {
  const FitOptions options = refit_options(parts);
  const auto family = stored_options<FamilyOptions>(parts.options);
  ModelParts small{.encoder = parts.encoder, .map = parts.map.subset(features)};
  store_result(fit_least_squares({small.map, rows, parts.encoder.target().task, options, family, run}), small);
  small.options = parts.options;
  store_options(options, small.options);
  small.provenance = parts.provenance;
  return small;
}

}  // namespace weft::detail
