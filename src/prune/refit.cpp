#include "prune/refit.hpp"

#include "methods/calibration.hpp"
#include "methods/least_squares/least_squares.hpp"
#include "methods/method.hpp"
#include "train/stored_options.hpp"

#include <fmt/format.h>

namespace weft::detail {

void check_refit(const FitOptions& options) {
  const Method& method = method_of(options);
  if (method.refit == nullptr)
    throw Error(ErrorKind::option, fmt::format("the model was fitted by {}, not by least squares", method.name),
                "‹refit›", "use ‹refit› projection");
}

ModelParts keep_features(const ModelParts& parts, const std::vector<Index>& features, const Pruned& pruned,
                         const BlockSource& rows, const Run& run, std::vector<std::string>& notes) {
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
    small.calibration =
        score_rows(rows, parts.encoder.target().task, small.map, small.coefficients, small.intercepts, run)
            .common_sigmoid();
  if (parts.variance_factor.rows() > 0)
    notes.emplace_back(
        "standard deviations were computed for other coefficients and have been removed; ‹refit› least-squares keeps "
        "them");
  return small;
}

ModelParts refit_features(const ModelParts& parts, const std::vector<Index>& features, const BlockSource& rows,
                          const Run& run) {
  const auto fitted = stored_options<FitOptions>(parts.options);
  const FitOptions options = method_of(fitted).refit(fitted);
  const auto family = stored_options<FamilyOptions>(parts.options);
  ModelParts small{.encoder = parts.encoder, .map = parts.map.subset(features)};
  store_result(fit_least_squares({small.map, rows, parts.encoder.target().task, options, family, run}), small);
  small.options = parts.options;
  store_options(options, small.options);
  small.provenance = parts.provenance;
  return small;
}

}  // namespace weft::detail
