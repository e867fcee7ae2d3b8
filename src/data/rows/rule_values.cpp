#include "data/rows/rule_values.hpp"

#include "data/text.hpp"

#include <weft/error.hpp>

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace weft::detail {

namespace {

RowRule::Kind kind_of(const RowRuleOptions& options) {
  const std::string name = options.name();
  return name == "group" ? RowRule::Kind::groups : name == "time" ? RowRule::Kind::times : RowRule::Kind::folds;
}

template <class T>
void count(const std::map<T, Index>& counts, std::vector<T>& values, std::vector<Index>& rows) {
  for (const auto& [value, number] : counts) {
    values.push_back(value);
    rows.push_back(number);
  }
}

/// Both ascend.
template <class T>
void merge_counts(std::vector<T>& values, std::vector<Index>& rows, const std::vector<T>& more,
                  const std::vector<Index>& more_rows) {
  std::vector<T> all;
  std::vector<Index> counts;
  std::size_t a = 0, b = 0;
  while (a < values.size() || b < more.size()) {
    const bool ours = b == more.size() || (a < values.size() && !(more[b] < values[a]));
    const bool theirs = a == values.size() || (b < more.size() && !(values[a] < more[b]));
    all.push_back(ours ? values[a] : more[b]);
    counts.push_back((ours ? rows[a++] : 0) + (theirs ? more_rows[b++] : 0));
  }
  values = std::move(all);
  rows = std::move(counts);
}

template <class T>
std::vector<T> held(const std::vector<T>& values, const std::vector<std::uint8_t>& keys) {
  std::vector<T> kept;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (keys[k] != 0) kept.push_back(values[k]);
  return kept;
}

template <class T>
bool among(const std::vector<T>& values, const T& value) {
  return std::binary_search(values.begin(), values.end(), value);
}

}  // namespace

RuleValues RuleValues::of(const Data& data, const Run& run) {
  RuleValues values{data.options().rule};
  if (values.none()) return values;
  const RuleCells cells = rule_cells(data, run);
  values.text = cells.text;
  if (cells.text) {
    std::map<std::string, Index> counts;
    for (const std::string& text : cells.texts) counts[text] = 0;  // of rows that are not fitted, too: draws count them
    for (const double code : cells.cells) ++counts[cells.texts[static_cast<std::size_t>(code)]];
    count(counts, values.texts, values.rows);
  } else {
    std::map<double, Index> counts;
    for (const double cell : cells.cells) ++counts[cell];
    count(counts, values.numbers, values.rows);
  }
  return values;
}

void RuleValues::merge(const RuleValues& next, const std::string& name) {
  if (next.options.name() != options.name() || next.options.column() != options.column() ||
      next.options.time_input != options.time_input)
    throw Error(ErrorKind::option, "rows of the parts before are held out by another column, or another option", name,
                "give ‹group›, ‹time› or ‹folds_column› alike for all parts");
  if (next.rows.empty()) return;
  if (rows.empty()) text = next.text;
  if (next.text != text)
    throw Error(ErrorKind::data,
                fmt::format("column {} has {} here, and {} in the parts before", shown(options.column()),
                            text ? "numbers" : "texts", text ? "texts" : "numbers"),
                name, "write it alike in all parts");
  if (text)
    merge_counts(texts, rows, next.texts, next.rows);
  else
    merge_counts(numbers, rows, next.numbers, next.rows);
}

HeldOutValues RuleValues::held_out(const Random& draws, double share) const {
  const auto several =
      static_cast<Index>(std::count_if(rows.begin(), rows.end(), [](Index number) { return number > 0; }));
  check_rule_values(options, options.column(), several);
  const std::vector<std::uint8_t> keys = held_out_keys(kind_of(options), rows, draws, share);
  HeldOutValues values{options, text, held(numbers, keys), held(texts, keys), 0, several};
  for (const Index number : held(rows, keys)) values.rows += number;
  if (kind_of(options) == RowRule::Kind::times) values.numbers.resize(1);
  return values;
}

std::string HeldOutValues::describe() const {
  return none() ? std::string() : describe_rule(kind_of(options), options.column(), several);
}

PartOf HeldOutValues::part_of(const Data& part, const Run& run, Index first_row) const {
  ReadOptions read = part.options();
  read.rule = options;
  const RuleCells cells = rule_cells({part.name(), read, [part] { return part.open(); }}, run);
  std::vector<std::uint8_t> found;
  found.reserve(cells.cells.size());
  for (const double cell : cells.cells)
    found.push_back(cells.kind == RowRule::Kind::times ? cell >= numbers.front()
                    : cells.text                       ? among(texts, cells.texts[static_cast<std::size_t>(cell)])
                                                       : among(numbers, cell));
  return [found = std::move(found), first_row](Index row) -> Index {
    return found[static_cast<std::size_t>(row - first_row)];
  };
}

}  // namespace weft::detail
