#include <weft/encoder.hpp>

#include <algorithm>

#include "data/encode/encoder_state.hpp"
#include "data/readers/find_column.hpp"

namespace weft {

const char* task_name(Task task) {
  switch (task) {
    case Task::none:
      return "none";
    case Task::regression:
      return "regression";
    case Task::binary:
      return "binary";
    case Task::multiclass:
      return "multiclass";
  }
  return "none";
}

const EncodeOptions& Encoder::options() const {
  return state_->options;
}
const Inputs& Encoder::inputs() const {
  return state_->inputs;
}
std::vector<ColumnKind> Encoder::column_kinds() const {
  const Scaling scale = state_->options.scale;
  std::vector<ColumnKind> numbers = {ColumnKind::number};
  if (scale == Scaling::quantile) numbers = {ColumnKind::ranked};
  if (scale == Scaling::standard) numbers = {ColumnKind::standardised};
  if (scale == Scaling::both) numbers = {ColumnKind::ranked, ColumnKind::standardised};
  std::vector<ColumnKind> kinds;
  for (const detail::Variable& variable : state_->variables) {
    if (variable.categorical)
      kinds.insert(kinds.end(), variable.scalers.size(), ColumnKind::one_hot);
    else
      for (std::size_t c = 0; c < variable.scalers.size(); c += numbers.size())
        kinds.insert(kinds.end(), numbers.begin(), numbers.end());
    if (variable.many) kinds.insert(kinds.end(), variable.many->outputs.size(), ColumnKind::effect);
    if (variable.indicator) kinds.push_back(ColumnKind::one_hot);
  }
  if (state_->inputs.bias) kinds.push_back(ColumnKind::bias);
  return kinds;
}
std::vector<std::string> Encoder::variable_names() const {
  std::vector<std::string> names;
  for (const detail::Variable& variable : state_->variables) names.push_back(variable.name);
  return names;
}
const TargetInfo& Encoder::target() const {
  return state_->target.info;
}

Index Encoder::rows_seen() const {
  return state_->rows;
}

std::vector<Encoder::MissingCount> Encoder::missing_cells() const {
  std::vector<MissingCount> counts;
  for (const detail::Variable& variable : state_->variables)
    if (variable.missing > 0) counts.push_back({variable.name, variable.missing, variable.unused()});
  return counts;
}

std::vector<Encoder::DateColumn> Encoder::date_columns() const {
  std::vector<DateColumn> columns;
  for (const detail::Variable& variable : state_->variables) {
    if (!variable.dates) continue;
    columns.push_back({variable.name, {}});
    for (const detail::DatePart part : variable.dates->parts) columns.back().parts.emplace_back(name_of(part));
  }
  return columns;
}

std::vector<Encoder::LevelCount> Encoder::many_levels() const {
  std::vector<LevelCount> counts;
  for (const detail::Variable& variable : state_->variables)
    if (variable.many)
      counts.push_back({variable.name, variable.categories.size(), static_cast<Index>(variable.scalers.size())});
  return counts;
}

Encoder Encoder::from_state(State state) {
  Encoder encoder;
  encoder.state_ = std::make_shared<const State>(std::move(state));
  return encoder;
}

Encoder Encoder::with_rules(MissingCells missing, UnseenCategories unseen) const {
  State state = *state_;
  state.options.missing = missing;
  state.options.unseen = unseen;
  return from_state(std::move(state));
}

Encoder Encoder::with_variables(const std::vector<Index>& variables) const {
  State state{.options = state_->options,
              .rows = state_->rows,
              .variables = {},
              .target = state_->target,
              .inputs = {},
              .level_outputs = state_->level_outputs};
  for (const Index v : variables) state.variables.push_back(state_->variables[static_cast<std::size_t>(v)]);
  state.inputs = inputs_of(state.variables, state.options.bias);
  return from_state(std::move(state));
}

}  // namespace weft

namespace weft::detail {

namespace {

/// Of a number, or of each part of dates; none of categories.
std::vector<std::string> number_names(const Variable& variable) {
  if (variable.categorical) return {};
  if (!variable.dates) return {variable.name};
  std::vector<std::string> names;
  for (const DatePart part : variable.dates->parts) names.push_back(variable.name + "." + name_of(part));
  return names;
}

}  // namespace

Inputs inputs_of(const std::vector<Variable>& variables, bool bias) {
  Inputs inputs;
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const Variable& variable = variables[v];
    const std::vector<std::string> numbers = number_names(variable);
    for (const std::string& number : numbers) {
      inputs.names.push_back(number);
      if (variable.scalers.size() == 2 * numbers.size()) inputs.names.push_back(number + " (standardised)");
    }
    const std::vector<std::string>& labels = variable.categories.labels();
    for (Index c = 0; c < variable.categories.size(); ++c)
      if (variable.one_hot(c) >= 0) inputs.names.push_back(variable.name + "=" + labels[static_cast<std::size_t>(c)]);
    if (variable.many)
      for (const std::string& output : variable.many->outputs)
        inputs.names.push_back(variable.name + (output.empty() ? " (effect)" : " (effect on " + output + ")"));
    if (variable.indicator) inputs.names.push_back(variable.name + " (missing)");
    inputs.variable_of.insert(inputs.variable_of.end(), static_cast<std::size_t>(variable.columns()),
                              static_cast<Index>(v));
  }
  inputs.bias = bias;
  if (bias) {
    inputs.names.emplace_back("(bias)");
    inputs.variable_of.push_back(-1);
  }
  return inputs;
}

namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

std::vector<Index> columns_named(const std::vector<Column>& columns, const std::string& list, const std::string& option,
                                 const std::string& place) {
  std::vector<Index> found;
  if (list.empty()) return found;
  const ColumnNames names(columns);
  std::vector<bool> taken(columns.size());
  // A name may itself contain a comma.
  if (const auto whole = names.find(list)) return {*whole};
  for (std::size_t first = 0; first <= list.size();) {
    const std::size_t last = std::min(list.find(',', first), list.size());
    const Index column = names.get(trimmed(list.substr(first, last - first)), option, place);
    if (taken[static_cast<std::size_t>(column)])
      throw Error(ErrorKind::option, "column '" + columns[static_cast<std::size_t>(column)].name + "' is named twice",
                  option, "name it once");
    taken[static_cast<std::size_t>(column)] = true;
    found.push_back(column);
    first = last + 1;
  }
  return found;
}

}  // namespace weft::detail
