// Measures of a model as tables of text.
#pragma once

#include <weft/model.hpp>

#include <string>

namespace weft::cli {

/// Classifiers' tables leave out the mse of scores against the codes ±1, which JSON keeps.
bool is_shown(Task task, const Measure& measure);

/// What stands below the table of measures: which class is the positive one, or a table with a line per class or
/// quantile; empty for other regressions.
std::string details_text(const Evaluation& result);

}  // namespace weft::cli
