#include "train/stored_options.hpp"

#include <weft/version.hpp>

#include "data/encode/strange_cells.hpp"

#include <fmt/ranges.h>

namespace weft::detail {

namespace {

/// What became of missing cells, for the report of the fit; empty: there were none.
std::string missing_text(const Encoder& encoder) {
  std::vector<std::pair<std::string, Index>> some;
  std::vector<std::pair<std::string, Index>> all;
  for (const Encoder::MissingCount& count : encoder.missing_cells())
    (count.all ? all : some).emplace_back(count.variable, count.cells);
  std::string text;
  if (!some.empty()) text = "the mean and an indicator (categories: a level of their own) for " + column_counts(some);
  if (!all.empty()) text += (text.empty() ? "" : "; ") + ("not used, without a value: " + column_counts(all));
  return text;
}

/// How columns with many categories are encoded, for the report of the fit; empty: there were none.
std::string levels_text(const Encoder& encoder) {
  std::vector<std::string> texts;
  for (const Encoder::LevelCount& count : encoder.many_levels())
    texts.push_back(
        fmt::format("column {}: {} levels, encoded by their effects on the target{}", count.variable, count.levels,
                    count.frequent == 0 ? "" : fmt::format(" and inputs for {} frequent ones", count.frequent)));
  return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace

void store_options(const FitOptions& options, OptionTexts& into) {
  into["fit"] = method_name(options.method);
  for_each_fit_field(options, [&](const auto& field, const auto& member) { into[field.name] = option_text(member); });
}

template <>
FitOptions stored_options<FitOptions>(const OptionTexts& texts) {
  FitOptions options;
  if (const auto found = texts.find("fit"); found != texts.end()) {
    try {
      options.method = method_options(found->second);
    } catch (const Error& error) {
      throw Error(ErrorKind::model,
                  fmt::format("the model was fitted by '{}', which this version does not support", found->second),
                  error.place(), "use a newer version of weft");
    }
  }
  for_each_fit_field(options, [&](const auto& field, auto& member) { restore_option(texts, field.name, member); });
  return options;
}

void store_result(FitResult result, ModelParts& parts) {
  if (result.left_out.by != ScoredBy::none)
    parts.conformity = result.left_out.rows.conformity(parts.encoder.target().task, result.calibration, result.loss,
                                                       result.left_out.by);
  if (result.map) parts.map = *std::move(result.map);
  parts.coefficients = std::move(result.coefficients);
  parts.intercepts = std::move(result.intercepts);
  parts.probabilistic = result.probabilistic;
  parts.loss = std::move(result.loss);
  parts.calibration = std::move(result.calibration);
  parts.variance_factor = std::move(result.variance_factor);
  parts.variance_means = std::move(result.variance_means);
  parts.intercept_variance = result.intercept_variance;
  parts.noise = std::move(result.noise);
  parts.members = std::move(result.members);
  parts.relevance = std::move(result.relevance);
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

void store_rule(const RowRuleOptions& options, const std::string& words, ModelParts& parts) {
  if (words.empty()) return;
  parts.options[options.name()] = options.column();
  if (options.time_input) parts.options["time_input"] = "true";
  parts.report.set("validation", fmt::format("{}; {} is {}", words, options.column(),
                                             options.time_input ? "an input too" : "not an input"));
}

void store_cells(const std::string& na_values, ModelParts& parts) {
  // Files to predict have to be read with them, too.
  if (!na_values.empty()) parts.options["na_values"] = na_values;
  if (const std::string text = missing_text(parts.encoder); !text.empty()) parts.report.set("missing", text);
  if (const std::string text = levels_text(parts.encoder); !text.empty()) parts.report.set("levels", text);
}

}  // namespace weft::detail
