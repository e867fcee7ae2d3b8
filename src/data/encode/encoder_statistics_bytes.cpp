// EncoderStatistics in a block file (core/block_file.hpp), and as one with "contents": "encoder statistics". JSON:
//   { "options": as EncodeOptions declares them, "place": TEXT, "first_row", "rows",
//     "inputs": [ { "name": TEXT } for a number, { "name": TEXT, "dictionary": [TEXT …] } for text, with
//                 "categorical": true where the user says so … ],
//     "targets": [ { "name": TEXT, "text": bool, "values": number of distinct ones } … ],
//     "target_dictionary": [TEXT …], "weights": TEXT, "any_weight": bool }
// Blocks: "counts" (present numbers of each number, then rows per code of each text), "moments" (mean, M2, min, max per
// number), "sampled" and "sample" (slot → row; numbers × slots), "target_values", "target_counts" (rows of each) and
// "target_ranges" (min, max per target).
#include <weft/encoder_statistics.hpp>

#include <algorithm>
#include <limits>

#include "data/encode/options_json.hpp"
#include "data/encode/statistics_blocks.hpp"

namespace weft {

using namespace detail;

namespace {

constexpr const char* kContents = "encoder statistics";
using State = EncoderStatistics::State;

Json inputs_json(const State& state) {
  Json json = Json::array();
  for (const State::Input& input : state.inputs) {
    json.push_back({{"name", text_to_json(input.name)}});
    if (input.stats.text()) json.back()["dictionary"] = texts_to_json(input.dictionary);
    if (input.categorical) json.back()["categorical"] = true;
  }
  return json;
}

Json targets_json(const State& state) {
  Json json = Json::array();
  for (const TargetStats& target : state.targets)
    json.push_back({{"name", text_to_json(target.name())}, {"text", target.text()}, {"values", target.distinct()}});
  return json;
}

/// Takes numbers off the front of a list, and none that are not there.
template <class T>
class Front {
 public:
  Front(const BlockFileReader& file, std::vector<T> numbers) : file_(file), numbers_(std::move(numbers)) {}
  std::vector<T> take(std::size_t count) {
    if (count > numbers_.size() - taken_) file_.damaged("there are too few numbers");
    taken_ += count;
    const auto end = numbers_.begin() + static_cast<std::ptrdiff_t>(taken_);
    return {end - static_cast<std::ptrdiff_t>(count), end};
  }
  void check_end() const {
    if (taken_ != numbers_.size()) file_.damaged("there are too many numbers");
  }

 private:
  const BlockFileReader& file_;
  std::vector<T> numbers_;
  std::size_t taken_ = 0;
};

/// Of rows by category or class, which are rows of the table.
void check_counts(const BlockFileReader& file, const std::vector<Index>& counts, Index least, Index rows) {
  for (const Index count : counts) {
    if (count < least || count > rows) file.damaged("it counts more or fewer rows than there are");
    rows -= count;
  }
}

void read_inputs(const BlockFileReader& file, const Json& inputs, State& state) {
  Front<Index> counts(file, file.indices("counts"));
  Front<double> moments(file, file.numbers("moments"));
  Front<double> samples(file, file.numbers("sample"));
  state.sampled = file.indices("sampled");
  for (const Json& json : inputs) {
    const std::string name = text_from_json(json.at("name"));
    if (json.contains("dictionary")) {
      std::vector<std::string> dictionary = texts_from_json(json.at("dictionary"));
      std::vector<Index> rows = counts.take(dictionary.size());
      check_counts(file, rows, 0, state.rows);
      const bool categorical = json.contains("categorical") && json.at("categorical").get<bool>();
      state.inputs.push_back({name, ColumnStats::texts(std::move(rows)), std::move(dictionary), categorical});
    } else {
      const Index present = counts.take(1).front();
      const std::vector<double> four = moments.take(4);
      check_counts(file, {present}, 0, state.rows);
      state.inputs.push_back(
          {name,
           ColumnStats::numbers({present, four[0], four[1], four[2], four[3]}, samples.take(state.sampled.size())),
           {}});
    }
  }
  counts.check_end();
  moments.check_end();
  samples.check_end();
}

void read_targets(const BlockFileReader& file, const Json& targets, State& state) {
  Front<double> values(file, file.numbers("target_values"));
  Front<Index> counts(file, file.indices("target_counts"));
  Front<double> ranges(file, file.numbers("target_ranges"));
  for (const Json& json : targets) {
    const bool text = json.at("text").get<bool>();
    const auto distinct = static_cast<std::size_t>(whole_from_json(json.at("values")));
    const std::vector<double> own = values.take(distinct);
    const auto known = static_cast<double>(state.target_dictionary.size());
    for (const double value : own)
      if (text && !(value >= 0 && value < known)) file.damaged("a class has no text");
    const std::vector<Index> rows = counts.take(distinct);
    check_counts(file, rows, 1, state.rows);
    const std::vector<double> range = ranges.take(2);
    state.targets.emplace_back(text_from_json(json.at("name")), text, own, rows, range[0], range[1]);
  }
  values.check_end();
  counts.check_end();
  ranges.check_end();
}

}  // namespace

Json detail::store_statistics(const EncoderStatistics& statistics, BlockFileWriter& file) {
  const State& state = statistics.state();
  std::vector<Index> counts, target_counts;
  std::vector<double> moments, sample, target_values, target_ranges;
  for (const State::Input& input : state.inputs) {
    const ColumnStats& stats = input.stats;
    if (stats.text()) {
      std::vector<Index> rows = stats.code_counts();
      rows.resize(input.dictionary.size());  // codes that no row of these has are not counted
      counts.insert(counts.end(), rows.begin(), rows.end());
      continue;
    }
    const Moments& m = stats.moments();
    counts.push_back(m.count);
    moments.insert(moments.end(), {m.mean, m.m2, m.min, m.max});
    sample.insert(sample.end(), stats.sample().begin(), stats.sample().end());
  }
  for (const TargetStats& target : state.targets) {
    const std::vector<double> values = target.values();
    const std::vector<Index> rows = target.counts();
    target_values.insert(target_values.end(), values.begin(), values.end());
    target_counts.insert(target_counts.end(), rows.begin(), rows.end());
    target_ranges.insert(target_ranges.end(), {target.min(), target.max()});
  }
  file.add("counts", std::move(counts));
  file.add("moments", std::move(moments));
  file.add("sampled", state.sampled);
  file.add("sample", std::move(sample));
  file.add("target_values", std::move(target_values));
  file.add("target_counts", std::move(target_counts));
  file.add("target_ranges", std::move(target_ranges));
  return {{"options", options_json(state.options)},
          {"place", text_to_json(state.place)},
          {"first_row", state.first_row},
          {"rows", state.rows},
          {"inputs", inputs_json(state)},
          {"targets", targets_json(state)},
          {"target_dictionary", texts_to_json(state.target_dictionary)},
          {"weights", text_to_json(state.weights)},
          {"any_weight", state.any_weight}};
}

EncoderStatistics detail::statistics_from(const Json& json, const BlockFileReader& file) {
  State state;
  state.options = options_from(json.at("options"));
  state.place = text_from_json(json.at("place"));
  state.first_row = whole_from_json(json.at("first_row"));
  state.rows = whole_from_json(json.at("rows"));
  if (state.first_row < 0 || state.rows < 0 || state.rows > std::numeric_limits<Index>::max() - state.first_row)
    file.damaged("a number of rows is negative or too large");
  state.target_dictionary = texts_from_json(json.at("target_dictionary"));
  state.weights = text_from_json(json.at("weights"));
  state.any_weight = json.at("any_weight").get<bool>();
  read_inputs(file, json.at("inputs"), state);
  read_targets(file, json.at("targets"), state);
  return EncoderStatistics(std::move(state));
}

std::string EncoderStatistics::to_bytes() const {
  BlockFileWriter file;
  Json header = {{"contents", kContents}};
  header.update(store_statistics(*this, file));
  return file.bytes(std::move(header));
}

EncoderStatistics EncoderStatistics::from_bytes(const std::string& bytes, const std::string& name) {
  const BlockFileReader file(name, bytes, kContents);
  return file.parsed_contents([&](const Json& header) { return statistics_from(header, file); });
}

}  // namespace weft
