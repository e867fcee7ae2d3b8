// LevelStatistics as bytes (core/block_file.hpp). Header:
//   { "contents": "level statistics", "first_row", "rows", "covariates", "outputs", "levels": [number of them …],
//     "forward": true where it is }
// Blocks: "moments" (folds · width × width), "slots" (a place or -1 per fold, variable and level), "sums" (of all
// places in this order, width numbers each), "codes", "weights" and "row_folds" (of rows, where they are kept).
#include <weft/level_statistics.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/at.hpp"
#include "core/block_file.hpp"
#include "data/encode/level_statistics_state.hpp"
#include "data/encode/many_levels.hpp"

namespace weft {

using namespace detail;

namespace {

constexpr const char* kLevelContents = "level statistics";

void check_level_header(const BlockFileReader& file, const LevelStatistics::State& state) {
  constexpr Index kTooMany = Index{1} << 31;  // products of two such numbers are numbers still
  const bool few =
      std::all_of(state.levels.begin(), state.levels.end(), [](Index count) { return count > 0 && count < kTooMany; });
  if (state.first_row < 0 || state.rows < 0 || state.rows > std::numeric_limits<Index>::max() - state.first_row ||
      state.covariates < 0 || state.covariates >= kTooMany || state.outputs < 1 || state.outputs >= kTooMany ||
      state.levels.empty() || !few)
    file.damaged("a number is out of range");
}

/// Copies the numbers that belong to one fold and variable, and moves on.
void read_sums(const BlockFileReader& file, const std::vector<Index>& slots, const std::vector<double>& values,
               Index width, std::size_t& slot, std::size_t& value, LevelStatistics::State::Sums& sums) {
  const auto levels = static_cast<Index>(sums.slot.size());
  std::vector<bool> taken(sums.slot.size());
  Index places = 0;
  for (Index& place : sums.slot) {
    place = slots[slot++];
    if (place < -1 || place >= levels) file.damaged("there are too few sums");
    if (place < 0) continue;
    if (taken[at(place)]) file.damaged("two levels share their sums");
    taken[at(place)] = true;
    places = std::max(places, place + 1);
  }
  const auto count = at(places * width);
  if (count > values.size() - value) file.damaged("there are too few sums");
  const auto first = values.begin() + static_cast<std::ptrdiff_t>(value);
  sums.values.assign(first, first + static_cast<std::ptrdiff_t>(count));
  value += count;
}

void read_folds(const BlockFileReader& file, LevelStatistics::State& state) {
  const Matrix moments = file.matrix("moments");
  const std::vector<Index> slots = file.indices("slots");
  const std::vector<double> values = file.numbers("sums");
  Index levels = 0;
  for (const Index count : state.levels) levels += count;
  if (moments.rows() != kLevelFolds * state.width() || moments.cols() != state.width() ||
      static_cast<Index>(slots.size()) != kLevelFolds * levels)
    file.damaged("the sums have another shape");
  state.allot();
  std::size_t slot = 0, value = 0;
  for (Index f = 0; f < kLevelFolds; ++f) {
    LevelStatistics::State::Fold& fold = state.folds[at(f)];
    std::copy_n(moments.row(f * state.width()), state.width() * state.width(), fold.moments.data());
    for (LevelStatistics::State::Sums& sums : fold.columns)
      read_sums(file, slots, values, state.width(), slot, value, sums);
  }
  if (value != values.size()) file.damaged("there are too many sums");
}

void read_rows(const BlockFileReader& file, LevelStatistics::State& state) {
  const Index rows = state.variables() > 1 ? state.rows : 0;
  const std::vector<Index> codes = file.indices("codes");
  state.weights = file.numbers("weights");
  if (static_cast<Index>(state.weights.size()) != rows || static_cast<Index>(codes.size()) != rows * state.variables())
    file.damaged("the number of rows");
  state.row_folds = file.indices("row_folds");
  if (!state.row_folds.empty() && static_cast<Index>(state.row_folds.size()) != rows)
    file.damaged("the number of folds");
  for (std::size_t k = 0; k < codes.size(); ++k) {
    if (codes[k] < -1 || codes[k] >= state.levels[k % state.levels.size()]) file.damaged("a level is out of range");
    state.codes.push_back(static_cast<std::int32_t>(codes[k]));
  }
}

}  // namespace

std::string LevelStatistics::to_bytes() const {
  const State& state = *state_;
  Matrix moments(kLevelFolds * state.width(), state.width());
  std::vector<Index> slots;
  std::vector<double> values;
  for (Index f = 0; f < kLevelFolds; ++f) {
    const State::Fold& fold = state.folds[at(f)];
    std::copy_n(fold.moments.data(), state.width() * state.width(), moments.row(f * state.width()));
    for (const State::Sums& sums : fold.columns) {
      slots.insert(slots.end(), sums.slot.begin(), sums.slot.end());
      values.insert(values.end(), sums.values.begin(), sums.values.end());
    }
  }
  const std::vector<Index> codes(state.codes.begin(), state.codes.end());
  BlockFileWriter file;
  file.add("moments", moments);
  file.add("slots", slots);
  file.add("sums", values);
  file.add("codes", codes);
  file.add("weights", state.weights);
  if (!state.row_folds.empty()) file.add("row_folds", state.row_folds);
  Json header = {{"contents", kLevelContents},     {"first_row", state.first_row}, {"rows", state.rows},
                 {"covariates", state.covariates}, {"outputs", state.outputs},     {"levels", state.levels}};
  if (state.forward) header["forward"] = true;
  return file.bytes(header);
}

LevelStatistics LevelStatistics::from_bytes(const std::string& bytes, const std::string& name) {
  const BlockFileReader file(name, bytes, kLevelContents);
  return file.parsed_contents([&](const Json& header) {
    State state;
    state.first_row = whole_from_json(header.at("first_row"));
    state.rows = whole_from_json(header.at("rows"));
    state.covariates = whole_from_json(header.at("covariates"));
    state.outputs = whole_from_json(header.at("outputs"));
    state.levels = wholes_from_json(header.at("levels"));
    state.forward = header.value("forward", false);
    check_level_header(file, state);
    read_folds(file, state);
    read_rows(file, state);
    return LevelStatistics(std::move(state));
  });
}

}  // namespace weft
