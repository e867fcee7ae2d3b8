#include "cli/measures.hpp"

#include "cli/session.hpp"

#include <fmt/format.h>

namespace weft::cli {

bool is_shown(Task task, const Measure& measure) {
  return task == Task::regression || measure.value != &Evaluation::mse;
}

std::string class_text(const Evaluation& result) {
  if (!result.positive.empty())
    return fmt::format("precision, recall, f1, auc and pr_auc are those of the class '{}'\n", result.positive);
  if (result.per_class.empty()) return "";
  TextTable table({"class", "rows", "precision", "recall", "f1", "auc", "pr_auc"});
  for (std::size_t k = 0; k < result.per_class.size(); ++k) {
    const ClassMeasures& one = result.per_class[k];
    table.add({result.classes[k], shown(one.weight), shown(one.precision), shown(one.recall), shown(one.f1),
               shown(one.auc), shown(one.pr_auc)});
  }
  return table.text();
}

}  // namespace weft::cli
