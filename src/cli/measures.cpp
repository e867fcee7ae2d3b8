#include "cli/measures.hpp"

#include "cli/session.hpp"

#include <fmt/format.h>

namespace weft::cli {

bool is_shown(Task task, const Measure& measure) {
  return task == Task::regression || measure.value != &Evaluation::mse;
}

std::string details_text(const Evaluation& result) {
  if (!result.per_quantile.empty()) {
    TextTable table({"quantile", "pinball", "coverage"});
    for (const QuantileMeasures& one : result.per_quantile)
      table.add({shown(one.quantile), shown(one.pinball), shown(one.coverage)});
    return table.text();
  }
  if (!result.positive.empty()) {
    std::string text =
        fmt::format("precision, recall, f1, auc and pr_auc are those of the class '{}'\n", result.positive);
    if (result.interval)
      text += fmt::format("coverage of '{}': {}, of '{}': {}\n", result.classes[0], shown(result.class_coverage[0]),
                          result.classes[1], shown(result.class_coverage[1]));
    return text;
  }
  if (result.per_class.empty()) return "";
  std::vector<std::string> header = {"class", "rows", "precision", "recall", "f1", "auc", "pr_auc"};
  if (result.interval) header.emplace_back("coverage");
  TextTable table(std::move(header));
  for (std::size_t k = 0; k < result.per_class.size(); ++k) {
    const ClassMeasures& one = result.per_class[k];
    std::vector<std::string> row = {result.classes[k], shown(one.weight), shown(one.precision), shown(one.recall),
                                    shown(one.f1),     shown(one.auc),    shown(one.pr_auc)};
    if (result.interval) row.push_back(shown(result.class_coverage[k]));
    table.add(std::move(row));
  }
  return table.text();
}

}  // namespace weft::cli
