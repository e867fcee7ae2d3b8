#include "train/sums_state.hpp"

#include "data/encode/statistics_state.hpp"
#include "data/rows/fingerprint.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace weft {

using namespace detail;

namespace {

std::vector<std::string> text_columns(const EncoderStatistics::State& state, const RuleValues& rule) {
  std::vector<std::string> names;
  for (const auto& input : state.inputs)
    if (input.stats.text()) names.push_back(input.name);
  for (const TargetStats& target : state.targets)
    if (target.text()) names.push_back(target.name());
  if (rule.text) names.push_back(rule.options.column());
  return names;
}

}  // namespace

PartStatistics PartStatistics::of(const Data& part, const EncodeOptions& encode, const Run& run, Index first_row,
                                  const std::vector<std::string>& texts) {
  if (part.options().target.empty())
    throw Error(ErrorKind::option, "no target column given", "‹target›", "name the column to predict");
  const auto found = std::make_shared<Fingerprint>();
  EncoderStatistics columns = EncoderStatistics::of(fingerprinted(part, texts, found), encode, run, first_row);
  RuleValues rule = RuleValues::of(fingerprinted(part, texts, std::make_shared<Fingerprint>()), run);
  std::vector<std::string> own = text_columns(columns.state(), rule);
  State state{first_row, {}, std::move(columns), part.options(), std::move(own), std::move(rule)};
  if (found->rows > 0) state.parts.push_back({part.name(), first_row, found->rows, found->checksum});
  return PartStatistics(std::make_shared<const State>(std::move(state)));
}

void PartStatistics::merge(const PartStatistics& next) {
  if (next.rows() == 0) return;
  if (rows() == 0) {
    *this = next;
    return;
  }
  const Index end = first_row() + rows();
  if (next.first_row() != end)
    throw Error(
        ErrorKind::data,
        next.first_row() > end
            ? fmt::format("it begins with row {}, and rows {} to {} are in no part", next.first_row(), end,
                          next.first_row() - 1)
            : fmt::format("it begins with row {}, and the rows up to {} are in other parts", next.first_row(), end - 1),
        next.parts().front().name, "name every part once; ‹first_row› is the number of rows in the parts before");
  State state = *state_;
  state.columns.merge(next.columns());
  state.rule.merge(next.state().rule, next.parts().front().name);
  state.parts.insert(state.parts.end(), next.parts().begin(), next.parts().end());
  state_ = std::make_shared<const State>(std::move(state));
}

const std::vector<TablePart>& PartStatistics::parts() const {
  return state_->parts;
}
Index PartStatistics::first_row() const {
  return state_->first_row;
}
Index PartStatistics::rows() const {
  return state_->columns.rows();
}
const EncoderStatistics& PartStatistics::columns() const {
  return state_->columns;
}
const ReadOptions& PartStatistics::read() const {
  return state_->read;
}
const std::vector<std::string>& PartStatistics::texts() const {
  return state_->texts;
}

PartStatistics merged(std::vector<PartStatistics> statistics) {
  if (statistics.empty()) throw Error(ErrorKind::data, "there are no parts", {}, "name at least one table");
  std::stable_sort(statistics.begin(), statistics.end(), [](const PartStatistics& a, const PartStatistics& b) {
    return std::pair(a.first_row(), a.rows()) < std::pair(b.first_row(), b.rows());
  });
  PartStatistics all = statistics.front();
  for (std::size_t k = 1; k < statistics.size(); ++k) all.merge(statistics[k]);
  if (all.rows() == 0)
    throw Error(ErrorKind::data, "there are no rows", all.columns().state().place, "give tables with rows of data");
  if (all.first_row() > 0)
    throw Error(ErrorKind::data,
                fmt::format("it begins with row {}, and the rows before are in no part", all.first_row()),
                all.parts().front().name, "name every part once");
  return all;
}

}  // namespace weft
