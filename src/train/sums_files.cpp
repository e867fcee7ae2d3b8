// Statistics, plans and sums as block files (core/block_file.hpp). Headers:
//   statistics: { "format": "weft statistics", "first_row", "parts": [PART …], "read": OPTIONS, "texts": [TEXT …],
//                 "columns": see data/encode/encoder_statistics_bytes.cpp }
//   plan:       { "format": "weft plan", "plan": PLAN }
//   sums:       { "format": "weft sums", "plan": PLAN, "parts": [position …], "sums": [see
//   linalg/accumulator_blocks.hpp …] } PART: { "name": TEXT, "first_row", "rows", "checksum" } PLAN: { "number",
//   "parts": [PART …], "read": OPTIONS, "texts": [TEXT …], "encoder": see data/encode/encoder_json.cpp,
//           "features": see model/feature_map_json.hpp, "options": OPTIONS }
//   With rows held out by the values of a column, statistics have "rule": RULE, and PLAN "held_out": RULE with "rows"
//   and "several" (different values). RULE: { "options": OPTIONS, "text": bool, "texts": [TEXT …] } OPTIONS: [[name,
//   text] …]
// Blocks: those of columns and features; "class_factors"; "rule.numbers", "rule.rows", "held_out.numbers"; and of sums
// sum0.… and sum1.…, "sample.x", "sample.y", "sample.weights" and "sample.numbers".
#include "train/sums_state.hpp"

#include "core/block_file.hpp"
#include "core/crc64.hpp"
#include "data/encode/encoder_json.hpp"
#include "data/encode/statistics_blocks.hpp"
#include "linalg/accumulator_blocks.hpp"
#include "model/feature_map_json.hpp"
#include "train/rule_blocks.hpp"
#include "train/stored_options.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace weft {

using namespace detail;

namespace {

Json part_json(const TablePart& part) {
  return {{"name", text_to_json(part.name)},
          {"first_row", part.first_row},
          {"rows", part.rows},
          {"checksum", fmt::format("{:016x}", part.checksum)}};
}

std::uint64_t hexadecimal(const Json& json) {
  return std::stoull(json.get<std::string>(), nullptr, 16);
}

TablePart part_from(const Json& json) {
  return {text_from_json(json.at("name")), whole_from_json(json.at("first_row")), whole_from_json(json.at("rows")),
          hexadecimal(json.at("checksum"))};
}

Json parts_json(const std::vector<TablePart>& parts) {
  Json json = Json::array();
  for (const TablePart& part : parts) json.push_back(part_json(part));
  return json;
}

/// Throws where they do not follow each other.
std::vector<TablePart> parts_from(const Json& json, Index first_row, Index rows, const BlockFileReader& file) {
  std::vector<TablePart> parts;
  Index next = first_row;
  for (const Json& each : json) {
    parts.push_back(part_from(each));
    if (parts.back().first_row != next || parts.back().rows < 1) file.damaged("its parts do not follow each other");
    next += parts.back().rows;
  }
  if (next != first_row + rows) file.damaged("its parts do not have its rows");
  return parts;
}

Json read_json(const ReadOptions& read) {
  OptionTexts texts;
  store_options(read, texts);
  return texts_json(texts);
}

ReadOptions read_from(const Json& json, const RowRuleOptions& rule) {
  ReadOptions read = stored_options<ReadOptions>(texts_from(json));
  read.rule = rule;
  return read;
}

/// The plan must outlive the writing.
Json plan_json(const Plan::State& plan, BlockFileWriter& file) {
  OptionTexts options;
  store_options(plan.family, options);
  store_options(plan.fit, options);
  file.add("class_factors", plan.class_factors);
  Json json = {{"number", fmt::format("{:016x}", plan.number)},
               {"parts", parts_json(plan.parts)},
               {"read", read_json(plan.read)},
               {"texts", texts_to_json(plan.texts)},
               {"encoder", Json::parse(plan.encoder.to_json())},
               {"features", feature_map_to_json(plan.map, file)},
               {"options", texts_json(options)}};
  store_held_out(plan.held_out, json, file);
  return json;
}

Plan plan_from(const Json& json, const BlockFileReader& file) {
  const OptionTexts options = texts_from(json.at("options"));
  const Encoder encoder = encoder_from_json(json.at("encoder"));
  HeldOutValues held_out = held_out_from(json, file);
  Plan::State plan{.parts = parts_from(json.at("parts"), 0, encoder.rows_seen(), file),
                   .read = read_from(json.at("read"), held_out.options),
                   .texts = texts_from_json(json.at("texts")),
                   .encoder = encoder,
                   .family = stored_options<FamilyOptions>(options),
                   .fit = stored_options<FitOptions>(options),
                   .map = feature_map_from_json(json.at("features"), file),
                   .class_factors = file.numbers("class_factors"),
                   .held_out = std::move(held_out),
                   .number = hexadecimal(json.at("number"))};
  if (plan.map.inputs().columns() != encoder.inputs().columns()) file.damaged("its parts do not fit together");
  return Plan(std::make_shared<const Plan::State>(std::move(plan)));
}

void require(bool condition, const BlockFileReader& file, const char* what) {
  if (!condition) file.damaged(what);
}

/// Reads what `parse` makes of the header; everything that does not fit is an error about the file.
template <class Parse>
auto parsed(const BlockFileReader& file, const std::string& place, const char* kind, const Parse& parse) {
  const Json& header = file.header();
  const std::string found = header.contains("format") ? header["format"].dump() : "";
  if (found != fmt::format("\"weft {}\"", kind))
    throw Error(ErrorKind::model, fmt::format("this is not a file of {}{}", kind, found.empty() ? "" : " but " + found),
                place, fmt::format("name a file that weft wrote as {}", kind));
  return file.parsed(parse);
}

constexpr std::uint32_t kFormatWithoutRules = 4;
constexpr const char* kStatistics = "statistics";
constexpr const char* kPlan = "plan";
constexpr const char* kSums = "sums";

PartStatistics read_statistics(const BlockFileReader& file, const std::string& place) {
  return parsed(file, place, kStatistics, [&](const Json& header) {
    EncoderStatistics columns = statistics_from(header.at("columns"), file);
    const auto first_row = whole_from_json(header.at("first_row"));
    if (first_row != columns.first_row()) file.damaged("its first row is not that of its columns");
    RuleValues rule = rule_values_from(header, columns.rows(), file);
    std::vector<TablePart> parts = parts_from(header.at("parts"), first_row, columns.rows(), file);
    ReadOptions read = read_from(header.at("read"), rule.options);
    PartStatistics::State state{
        first_row,      std::move(parts), std::move(columns), std::move(read), texts_from_json(header.at("texts")),
        std::move(rule)};
    return PartStatistics(std::make_shared<const PartStatistics::State>(std::move(state)));
  });
}

Plan read_plan(const BlockFileReader& file, const std::string& place) {
  return parsed(file, place, kPlan, [&](const Json& header) { return plan_from(header.at("plan"), file); });
}

Sums read_sums(const BlockFileReader& file, const std::string& place) {
  return parsed(file, place, kSums, [&](const Json& header) {
    Sums::State sums{.plan = plan_from(header.at("plan"), file)};
    const auto known = static_cast<Index>(sums.plan.parts().size());
    sums.parts = wholes_from_json(header.at("parts"));
    for (std::size_t k = 0; k < sums.parts.size(); ++k)
      require(sums.parts[k] >= 0 && sums.parts[k] < known && (k == 0 || sums.parts[k] > sums.parts[k - 1]), file,
              "the plan does not have its parts");
    for (const Json& each : header.at("sums")) {
      sums.sums.parts.push_back(AccumulatorBlocks::read(each, fmt::format("sum{}.", sums.sums.parts.size()), file));
      require(sums.sums.parts.back().features() == sums.plan.map().features() &&
                  sums.sums.parts.back().shift() == sums.sums.parts.front().shift(),
              file, "its sums do not fit the plan");
    }
    require(sums.parts.empty() == sums.sums.parts.empty() && sums.sums.parts.size() <= 2, file, "sums are missing");
    if (!sums.sums.parts.empty()) sums.sums.shift = sums.sums.parts.front().shift();
    sums.sample = {file.matrix("sample.x"), file.matrix("sample.y"), file.numbers("sample.weights")};
    sums.numbers = file.indices("sample.numbers");
    const auto rows = static_cast<Index>(sums.numbers.size());
    require(sums.sample.x.cols() == rows && sums.sample.y.cols() == rows &&
                (sums.sample.weights.empty() || sums.sample.weights.size() == sums.numbers.size()) &&
                (rows == 0 || sums.sample.x.rows() == sums.plan.map().inputs().columns()),
            file, "its rows do not fit");
    return Sums(std::make_shared<const Sums::State>(std::move(sums)));
  });
}

// Each calls write(file, header, whether no rule holds rows out).
template <class Write>
void write_statistics(const PartStatistics::State& state, const Write& write) {
  BlockFileWriter file;
  Json header = {{"format", "weft statistics"},         {"first_row", state.first_row},
                 {"parts", parts_json(state.parts)},    {"read", read_json(state.read)},
                 {"texts", texts_to_json(state.texts)}, {"columns", store_statistics(state.columns, file)}};
  store_rule_values(state.rule, header, file);
  write(file, std::move(header), state.rule.none());
}

template <class Write>
void write_plan(const Plan::State& state, const Write& write) {
  BlockFileWriter file;
  write(file, {{"format", "weft plan"}, {"plan", plan_json(state, file)}}, state.held_out.none());
}

template <class Write>
void write_sums(const Sums::State& state, const Write& write) {
  BlockFileWriter file;
  Json header = {{"format", "weft sums"},
                 {"plan", plan_json(state.plan.state(), file)},
                 {"parts", state.parts},
                 {"sums", Json::array()}};
  for (std::size_t k = 0; k < state.sums.parts.size(); ++k)
    header["sums"].push_back(AccumulatorBlocks::store(state.sums.parts[k], fmt::format("sum{}.", k), file));
  file.add("sample.x", state.sample.x);
  file.add("sample.y", state.sample.y);
  file.add("sample.weights", state.sample.weights);
  file.add("sample.numbers", state.numbers);
  write(file, std::move(header), state.plan.state().held_out.none());
}

/// Versions that know no rules must not read what has one: they would hold out other rows.
constexpr std::uint32_t version_of(bool without_rule) {
  return without_rule ? kFormatWithoutRules : kFormatVersion;
}

auto to_file(const std::string& path) {
  return [path](const BlockFileWriter& file, Json header, bool without_rule) {
    file.write(path, std::move(header), version_of(without_rule));
  };
}

auto to_text(std::string& bytes) {
  return [&bytes](const BlockFileWriter& file, Json header, bool without_rule) {
    bytes = file.bytes(std::move(header), version_of(without_rule));
  };
}

Json parts_summary(const std::vector<TablePart>& parts) {
  Json json = Json::array();
  for (const TablePart& part : parts)
    json.push_back({{"name", part.name}, {"first_row", part.first_row}, {"rows", part.rows}});
  return json;
}

Json plan_summary(const Plan& plan) {
  Json json = {{"number", fmt::format("{:016x}", plan.number())},
               {"rows", plan.rows()},
               {"task", task_name(plan.encoder().target().task)},
               {"targets", plan.encoder().target().names},
               {"variables", plan.encoder().inputs().variables()},
               {"features", plan.map().features()},
               {"fit", method_name(plan.fit().method)},
               {"parts", parts_summary(plan.parts())}};
  if (const std::string validation = plan.validation(); !validation.empty()) json["validation"] = validation;
  return json;
}

}  // namespace

Plan detail::numbered(Plan::State state) {
  std::string bytes;
  write_plan(state, to_text(bytes));
  constexpr std::size_t kChecksum = 8;  // at the end: with it every sum would be the same
  Crc64 sum;
  sum.add(bytes.data(), bytes.size() - kChecksum);
  state.number = sum.value();
  return Plan(std::make_shared<const Plan::State>(std::move(state)));
}

void PartStatistics::save(const std::string& path) const {
  write_statistics(*state_, to_file(path));
}
PartStatistics PartStatistics::load(const std::string& path) {
  return read_statistics(BlockFileReader(path, BlockFileReader::FileOf{kStatistics}), path);
}
bool PartStatistics::is_file(const std::string& path) {
  return is_block_file(path);
}
std::string part_file_contents(const std::string& path) {
  const std::string format = block_file_format(path);
  for (const char* contents : {kStatistics, kPlan, kSums})
    if (format == std::string("weft ") + contents) return contents;
  return {};
}
std::string PartStatistics::to_bytes() const {
  std::string bytes;
  write_statistics(*state_, to_text(bytes));
  return bytes;
}
PartStatistics PartStatistics::from_bytes(const std::string& bytes, const std::string& name) {
  return read_statistics(BlockFileReader(name, bytes, kStatistics), name);
}

void Plan::save(const std::string& path) const {
  write_plan(*state_, to_file(path));
}
Plan Plan::load(const std::string& path) {
  return read_plan(BlockFileReader(path, BlockFileReader::FileOf{kPlan}), path);
}
std::string Plan::to_bytes() const {
  std::string bytes;
  write_plan(*state_, to_text(bytes));
  return bytes;
}
Plan Plan::from_bytes(const std::string& bytes, const std::string& name) {
  return read_plan(BlockFileReader(name, bytes, kPlan), name);
}
std::string Plan::to_json() const {
  return json_document(plan_summary(*this));
}

void Sums::save(const std::string& path) const {
  write_sums(*state_, to_file(path));
}
Sums Sums::load(const std::string& path) {
  return read_sums(BlockFileReader(path, BlockFileReader::FileOf{kSums}), path);
}
std::string Sums::to_bytes() const {
  std::string bytes;
  write_sums(*state_, to_text(bytes));
  return bytes;
}
Sums Sums::from_bytes(const std::string& bytes, const std::string& name) {
  return read_sums(BlockFileReader(name, bytes, kSums), name);
}
std::string Sums::to_json() const {
  return json_document({{"plan", plan_summary(plan())},
                        {"rows", rows()},
                        {"parts", parts_summary(parts())},
                        {"missing", parts_summary(missing())}});
}

}  // namespace weft
