#include <weft/encoder_statistics.hpp>

#include <fmt/format.h>

#include <unordered_map>

#include "data/encode/scaler.hpp"
#include "data/encode/statistics_state.hpp"

namespace weft {

using namespace detail;

namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& place) {
  throw Error(ErrorKind::data, "the statistics are of different tables: " + what, place,
              "merge statistics of parts of one table, made with the same options");
}

/// Adds the texts that are new, and returns where each of `theirs` is in `ours`.
std::vector<Index> merge_dictionaries(std::vector<std::string>& ours, const std::vector<std::string>& theirs) {
  std::unordered_map<std::string, Index> known;
  for (const std::string& text : ours) known.emplace(text, static_cast<Index>(known.size()));
  std::vector<Index> codes;
  for (const std::string& text : theirs) {
    const auto [entry, fresh] = known.emplace(text, static_cast<Index>(known.size()));
    if (fresh) ours.push_back(text);
    codes.push_back(entry->second);
  }
  return codes;
}

void check_alike(const EncoderStatistics::State& a, const EncoderStatistics::State& b) {
  for_each_field<EncodeOptions>([&](const auto& field) {
    if (a.options.*field.member != b.options.*field.member) refuse(fmt::format("'{}' differs", field.name), b.place);
  });
  if (a.inputs.size() != b.inputs.size() || a.targets.size() != b.targets.size() || a.weights != b.weights)
    refuse("the columns differ", b.place);
  const auto check_column = [&](const std::string& name, bool text, const std::string& other, bool other_text) {
    if (name != other) refuse(fmt::format("column '{}' is '{}' in the other", name, other), b.place);
    if (text != other_text) refuse(fmt::format("column '{}' is text in one of them only", name), b.place);
  };
  for (std::size_t v = 0; v < a.inputs.size(); ++v)
    check_column(a.inputs[v].name, a.inputs[v].stats.text(), b.inputs[v].name, b.inputs[v].stats.text());
  for (std::size_t t = 0; t < a.targets.size(); ++t)
    check_column(a.targets[t].name(), a.targets[t].text(), b.targets[t].name(), b.targets[t].text());
}

/// Of every slot the later row stays, as in one pass; returns the slots that go to the other's rows.
std::vector<Index> merge_samples(std::vector<Index>& ours, const std::vector<Index>& theirs) {
  std::vector<Index> slots;
  if (theirs.size() > ours.size()) ours.resize(theirs.size(), -1);
  for (std::size_t slot = 0; slot < theirs.size(); ++slot) {
    if (theirs[slot] <= ours[slot]) continue;
    ours[slot] = theirs[slot];
    slots.push_back(static_cast<Index>(slot));
  }
  return slots;
}

}  // namespace

EncoderStatistics::EncoderStatistics(State state) : state_(std::make_shared<const State>(std::move(state))) {}

EncoderStatistics EncoderStatistics::of(const Data& data, const EncodeOptions& options, const Run& run,
                                        Index first_row) {
  return EncoderStatistics(gather_statistics(data, true, options, first_row, run));
}

EncoderStatistics EncoderStatistics::of_inputs(const Data& data, const EncodeOptions& options, const Run& run,
                                               Index first_row) {
  return EncoderStatistics(gather_statistics(data, false, options, first_row, run));
}

void EncoderStatistics::merge(const EncoderStatistics& next) {
  const State& other = next.state();
  check_alike(*state_, other);
  if (uses_ranks(options().scale) && other.first_row != first_row() + rows())
    refuse(fmt::format("rows from {} on do not follow {} rows from {} on", other.first_row, rows(), first_row()),
           other.place);
  State state = *state_;
  const std::vector<Index> slots = merge_samples(state.sampled, other.sampled);
  for (std::size_t v = 0; v < state.inputs.size(); ++v)
    state.inputs[v].stats.merge(other.inputs[v].stats,
                                merge_dictionaries(state.inputs[v].dictionary, other.inputs[v].dictionary), slots);
  const std::vector<Index> codes = merge_dictionaries(state.target_dictionary, other.target_dictionary);
  for (std::size_t t = 0; t < state.targets.size(); ++t) state.targets[t].merge(other.targets[t], codes);
  state.any_weight = state.any_weight || other.any_weight;
  state.rows += other.rows;
  state_ = std::make_shared<const State>(std::move(state));
}

const EncodeOptions& EncoderStatistics::options() const {
  return state_->options;
}
Index EncoderStatistics::first_row() const {
  return state_->first_row;
}
Index EncoderStatistics::rows() const {
  return state_->rows;
}

}  // namespace weft
