// Encoder::fit: from the statistics of the training rows to a frozen encoder.
#include <weft/encoder.hpp>
#include <weft/level_statistics.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/parallel.hpp"
#include "data/encode/encoder_state.hpp"
#include "data/encode/statistics_state.hpp"
#include "data/encode/text_numbers.hpp"
#include "data/encode/written_numbers.hpp"
#include "data/text.hpp"

namespace weft {

using namespace detail;

namespace {

using Input = EncoderStatistics::State::Input;

// A wider one-hot encoding would cost gigabytes per block.
constexpr Index kMaxCategories = 10000;

Variable number(const Input& input, const EncodeOptions& options, const std::string& place) {
  Variable variable;
  variable.name = input.name;
  variable.fill = input.stats.moments().mean;
  if (!std::isfinite(variable.fill))
    throw Error(ErrorKind::data, fmt::format("the mean of column '{}' is beyond double precision", variable.name),
                place, fmt::format("rescale it, or leave it out with ‹drop› {}", variable.name));
  for (const Scaling scale :
       options.scale == Scaling::both ? std::vector{Scaling::quantile, Scaling::standard} : std::vector{*options.scale})
    variable.scalers.push_back(Scaler::for_numbers(scale, input.stats, variable.name));
  return variable;
}

/// `rows`: of which the shares are.
Variable categorical(const Input& input, const EncodeOptions& options, Index rows, const std::string& place,
                     const std::vector<LevelOutput>& outputs) {
  const std::vector<Index>& counts = input.stats.code_counts();
  std::vector<std::string> seen;
  for (std::size_t code = 0; code < counts.size(); ++code)
    if (counts[code] > 0) seen.push_back(input.dictionary[code]);

  Variable variable;
  variable.name = input.name;
  const auto levels = static_cast<Index>(seen.size());
  const bool many = !outputs.empty() && options.max_levels > 0 && levels > options.max_levels;
  if (!many && levels > kMaxCategories)
    throw Error(ErrorKind::data, fmt::format("column '{}' has more than {} categories", variable.name, kMaxCategories),
                place, fmt::format("leave it out with ‹drop› {}", variable.name));
  variable.categorical = true;
  variable.categories = Categories(std::move(seen));
  std::vector<Index> by_position(static_cast<std::size_t>(variable.categories.size()));
  for (std::size_t code = 0; code < counts.size(); ++code)
    if (counts[code] > 0)
      by_position[static_cast<std::size_t>(variable.categories.find(input.dictionary[code]))] = counts[code];
  if (many) variable.many = ManyLevels::of(levels, frequent_levels(by_position, rows), outputs);
  for (Index c = 0; c < levels; ++c)
    if (variable.one_hot(c) >= 0)
      variable.scalers.push_back(Scaler::for_one_hot(
          options.scale, static_cast<double>(by_position[static_cast<std::size_t>(c)]) / static_cast<double>(rows)));
  // Of equally frequent categories the first in order.
  variable.fill = static_cast<double>(std::max_element(by_position.begin(), by_position.end()) - by_position.begin());
  return variable;
}

/// A column of missing cells is constant.
Variable unused(const Input& input, const EncodeOptions& options, Index rows, const std::string& place) {
  if (options.missing != MissingCells::indicate)
    throw Error(ErrorKind::data, fmt::format("every value of column '{}' is missing", input.name), place,
                fmt::format("leave it out with ‹drop› {}", input.name));
  Variable variable;
  variable.name = input.name;
  variable.scalers.assign(options.scale == Scaling::both ? 2 : 1, Scaler(0, 0));
  variable.missing = rows;
  return variable;
}

Variable variable_of(const Input& input, const EncodeOptions& options, Index rows, const std::string& place,
                     const std::vector<LevelOutput>& outputs);

Variable dates(const Input& input, const EncodeOptions& options, Index rows, const std::string& place,
               const std::vector<LevelOutput>& outputs) {
  const DateInputs of = date_inputs(input);
  Variable variable;
  variable.name = input.name;
  variable.dates = DateParts{.start = of.start, .parts = of.parts};
  for (const Input& part : of.inputs) {
    const Variable number = variable_of(part, options, rows, place, outputs);
    variable.scalers.insert(variable.scalers.end(), number.scalers.begin(), number.scalers.end());
    variable.dates->fills.push_back(number.fill);
    variable.indicator = number.indicator;
    variable.missing = number.missing;
  }
  return variable;
}

Variable variable_of(const Input& input, const EncodeOptions& options, Index rows, const std::string& place,
                     const std::vector<LevelOutput>& outputs) {
  if (const std::optional<Input> numbers = boolean_input(input)) {
    Variable variable = variable_of(*numbers, options, rows, place, outputs);
    variable.boolean = true;
    return variable;
  }
  if (holds_dates(input)) return dates(input, options, rows, place, outputs);
  const Index present = input.stats.present();
  if (present == 0) return unused(input, options, rows, place);
  const bool indicate = options.missing == MissingCells::indicate;
  Variable variable = input.stats.text() ? categorical(input, options, indicate ? rows : present, place, outputs)
                                         : number(input, options, place);
  if (!indicate || present == rows) return variable;
  variable.missing = rows - present;
  variable.indicator =
      Scaler::for_one_hot(options.scale, static_cast<double>(variable.missing) / static_cast<double>(rows));
  return variable;
}

/// Every text is another one: a name or a key, of which new rows have others.
bool identifies_rows(const Input& input) {
  constexpr Index kFewestRows = 20;  // fewer differ by chance
  if (!input.stats.text() || input.stats.present() < kFewestRows || holds_dates(input)) return false;
  const std::vector<Index>& counts = input.stats.code_counts();
  return std::all_of(counts.begin(), counts.end(), [](Index count) { return count <= 1; });
}

/// A category per amount is not what is wanted of them, and easily overlooked.
void warn_of_written_numbers(const EncoderStatistics::State& statistics, const Run& run) {
  for (const Input& input : statistics.inputs)
    if (const std::string example = input.stats.text() ? written_number_among(input.dictionary) : ""; !example.empty())
      run.warn(
          fmt::format("{}: column '{}' is read as texts, such as {}: write its cells as plain numbers (1234.5) to "
                      "use it as a number",
                      statistics.place, input.name, shown(example)));
}

/// Without those that identify rows, unless there are no others.
std::vector<const Input*> used_inputs(const EncoderStatistics::State& statistics, const Run& run) {
  const bool all = std::all_of(statistics.inputs.begin(), statistics.inputs.end(), identifies_rows);
  std::vector<const Input*> used;
  warn_of_written_numbers(statistics, run);
  for (const Input& input : statistics.inputs)
    if (all || !identifies_rows(input))
      used.push_back(&input);
    else
      run.warn(fmt::format("{}: column '{}' is left out: its {} texts are all different", statistics.place, input.name,
                           input.stats.present()));
  return used;
}

std::shared_ptr<const Encoder::State> fitted(const EncoderStatistics::State& statistics, const Run& run,
                                             bool few_labels = false) {
  if (statistics.rows == 0)
    throw Error(ErrorKind::data, "there are no rows", statistics.place, "give a file with rows of data");
  if (!statistics.weights.empty() && !statistics.any_weight)
    throw Error(ErrorKind::data, fmt::format("every weight in column '{}' is 0", statistics.weights), statistics.place,
                "at least one must be positive");
  Encoder::State state;
  state.options = statistics.options;
  state.rows = statistics.rows;
  state.target = TargetEncoder::fit(statistics.targets, statistics.rows, state.options.task,
                                    statistics.target_dictionary, statistics.place, few_labels);
  state.level_outputs = level_outputs(statistics.targets, state.target, statistics.target_dictionary);
  const std::vector<const Input*> inputs = used_inputs(statistics, run);
  state.variables.resize(inputs.size());
  const auto variables = static_cast<Index>(state.variables.size());
  parallel_for(variables, useful_threads(variables * state.rows, run.thread_count()), [&](Index v) {
    const auto at = static_cast<std::size_t>(v);
    state.variables[at] =
        variable_of(*inputs[at], state.options, statistics.rows, statistics.place, state.level_outputs);
  });
  state.inputs = inputs_of(state.variables, state.options.bias);
  return std::make_shared<const Encoder::State>(std::move(state));
}

}  // namespace

Encoder Encoder::fit(const EncoderStatistics& statistics, const Run& run) {
  Encoder encoder;
  encoder.state_ = fitted(statistics.state(), run);
  return encoder;
}

Encoder Encoder::fit(const Data& data, const EncodeOptions& options, const Run& run) {
  const Encoder inputs = fit(EncoderStatistics::of(data, options, run), run);
  return inputs.many_levels().empty() ? inputs : inputs.with_effects(LevelStatistics::of(inputs, data, run), run);
}

Encoder Encoder::fit_inputs(const Data& data, const EncodeOptions& options, const Run& run) {
  return fit(EncoderStatistics::of_inputs(data, options, run), run);
}

Encoder Encoder::with_target_of(const Data& data, const Run& run) const {
  const auto other = fitted(EncoderStatistics::of(data, options(), run).state(), run, true);
  State state = *state_;
  state.rows = other->rows;
  state.target = other->target;
  Encoder encoder;
  encoder.state_ = std::make_shared<const State>(std::move(state));
  return encoder;
}

}  // namespace weft
