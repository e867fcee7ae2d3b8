#include "cli/model_report.hpp"

#include "cli/session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <nlohmann/json.hpp>

namespace weft::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Measure {
  const char* name;
  std::optional<double> Evaluation::*value;
};
constexpr Measure kMeasures[] = {
    {"error", &Evaluation::error}, {"auc", &Evaluation::auc},   {"log loss", &Evaluation::logloss},
    {"mse", &Evaluation::mse},     {"rmse", &Evaluation::rmse}, {"mae", &Evaluation::mae},
    {"r2", &Evaluation::r2},
};

std::string shown_or_blank(const std::optional<double>& value) {
  return value ? shown(*value) : "";
}

Json norms(const Model& model) {
  Json result = {{"rkhs", Json::array()}, {"l2p", Json::array()}};
  for (Index o = 0; o < model.outputs(); ++o) {
    result["rkhs"].push_back(model.rkhs_norm(o));
    const auto l2p = model.l2p_norm(o);
    result["l2p"].push_back(l2p ? Json(*l2p) : Json(nullptr));
  }
  return result;
}

Json training_json(const Model& model, const Evaluation& train, const std::optional<Evaluation>& test,
                   const std::string& path) {
  const ModelParts& parts = model.parts();
  Json result = {
      {"family", parts.options.at("family")}, {"features", parts.map.features()}, {"fit", parts.options.at("fit")}};
  if (!path.empty()) result["model"] = path;
  result["train"] = Json::parse(train.to_json());
  if (test) result["test"] = Json::parse(test->to_json());
  for (const auto& [name, value] : parts.report.numbers) result["report"][name] = value;
  for (const auto& [name, value] : parts.report.words) result["report"][name] = value;
  for (const auto& [stage, seconds] : parts.report.seconds) result["seconds"][stage] = seconds;
  result["norms"] = norms(model);
  result["peak_memory"] = peak_memory();
  result["warnings"] = parts.report.warnings;
  return result;
}

void print_tables(const Model& model, const Evaluation& train, const std::optional<Evaluation>& test) {
  const ModelParts& parts = model.parts();
  fmt::print("{} features of {}, {} inputs, {} rows, {} ({})\n\n", parts.map.features(), parts.options.at("family"),
             parts.map.inputs().columns(), train.rows, parts.options.at("fit"), task_name(train.task));
  TextTable errors(test ? std::vector<std::string>{"", "train", "test"} : std::vector<std::string>{"", "train"});
  for (const Measure& measure : kMeasures) {
    if (!(train.*measure.value)) continue;
    std::vector<std::string> row = {measure.name, shown_or_blank(train.*measure.value)};
    if (test) row.push_back(shown_or_blank((*test).*measure.value));
    errors.add(row);
  }
  fmt::print("{}\n", errors.text());
  TextTable details({"fit", "value"});
  for (const auto& [name, value] : parts.report.numbers) details.add({name, shown(value)});
  for (const auto& [name, value] : parts.report.words) details.add({name, value});
  for (Index o = 0; o < std::min<Index>(model.outputs(), 3); ++o) {
    details.add({"norm of alpha in H", shown(model.rkhs_norm(o))});
    if (const auto l2p = model.l2p_norm(o)) details.add({"norm of alpha in L2(p)", shown(*l2p)});
  }
  for (const auto& [stage, seconds] : parts.report.seconds)
    details.add({stage + " time", fmt::format("{:.3f} s", seconds)});
  details.add({"peak memory", fmt::format("{:.0f} MB", peak_memory() / 1e6)});
  fmt::print("{}", details.text());
}

}  // namespace

double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

void print_training(const Model& model, const Evaluation& train, const std::optional<Evaluation>& test,
                    const std::string& path, bool json) {
  if (json) {
    fmt::print("{}\n", training_json(model, train, test, path).dump(2));
    return;
  }
  print_tables(model, train, test);
  for (const std::string& warning : model.parts().report.warnings) fmt::print("note: {}\n", warning);
  if (!path.empty()) fmt::print("\nmodel written to {}\n", path);
}

}  // namespace weft::cli
