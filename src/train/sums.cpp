#include "train/sums_state.hpp"

#include "core/at.hpp"
#include "data/rows/fingerprint.hpp"
#include "data/rows/row_filter.hpp"
#include "methods/calibration.hpp"
#include "methods/method.hpp"
#include "train/stored_options.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft {

using namespace detail;

namespace {

/// The blocks of another source; rows that are drawn are copied as they go by.
class TakenRows final : public BlockSource {
 public:
  TakenRows(const BlockSource& source, std::function<bool(Index)> drawn) : source_(source), drawn_(std::move(drawn)) {}

  Index rows() const override { return source_.rows(); }
  Index outputs() const override { return source_.outputs(); }
  const TrainingBlock* in_memory() const override { return nullptr; }
  void for_each(const std::function<bool(const TrainingBlock&)>& consume) const override {
    taken_.clear();
    numbers_.clear();
    source_.for_each([&](const TrainingBlock& block) {
      take(block);
      return consume(block);
    });
  }
  GatheredRows taken() const { return GatheredRows::joined(taken_); }
  const std::vector<Index>& numbers() const { return numbers_; }

 private:
  void take(const TrainingBlock& block) const {
    std::vector<Index> columns;
    for (Index i = 0; i < block.rows(); ++i)
      if (drawn_(block.first_row + i)) columns.push_back(i);
    if (columns.empty()) return;
    for (const Index i : columns) numbers_.push_back(block.first_row + i);
    taken_.emplace_back().take(block, columns);
  }

  const BlockSource& source_;
  std::function<bool(Index)> drawn_;
  mutable std::vector<GatheredRows> taken_;  // by the latest pass
  mutable std::vector<Index> numbers_;
};

/// The position among the plan's parts of the one with these rows.
Index find_part(const Plan& plan, const Fingerprint& found, const std::string& name, std::optional<Index> first_row) {
  const std::vector<TablePart>& parts = plan.parts();
  const auto same = [&](const TablePart& known) {
    return Fingerprint{known.rows, known.checksum} == found && (!first_row || known.first_row == *first_row);
  };
  const auto part = std::find_if(parts.begin(), parts.end(), same);
  if (part != parts.end()) {
    const auto next = std::find_if(part + 1, parts.end(), same);
    if (next == parts.end()) return part - parts.begin();
    throw Error(ErrorKind::data, fmt::format("{} and {} of the plan have the same rows", part->name, next->name), name,
                "make a plan that has them once; weight rows that count twice with ‹weights›");
  }
  const auto alike =
      std::find_if(parts.begin(), parts.end(), [&](const TablePart& known) { return known.name == name; });
  throw Error(ErrorKind::data,
              alike != parts.end()
                  ? fmt::format("it has changed since the plan was made: {} rows then, {} now{}", alike->rows,
                                found.rows, alike->rows == found.rows ? ", with other cells" : "")
                  : fmt::format("its {} rows are none of the {} parts of the plan", found.rows, parts.size()),
              name, "sum the tables that the plan was made of, or make a plan that has this one");
}

std::vector<TablePart> parts_at(const Plan& plan, const std::vector<Index>& positions) {
  std::vector<TablePart> parts;
  for (const Index k : positions) parts.push_back(plan.parts()[at(k)]);
  return parts;
}

std::string names_of(const std::vector<TablePart>& parts) {
  constexpr std::size_t kMost = 5;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < std::min(parts.size(), kMost); ++k) names.push_back(parts[k].name);
  if (parts.size() > kMost) names.push_back("…");
  return fmt::format("{}", fmt::join(names, ", "));
}

/// The rows to score in their order, whatever the order in which parts were merged.
std::unique_ptr<BlockSource> sorted_sample(const Sums::State& sums) {
  std::vector<Index> order(sums.numbers.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return sums.numbers[at(a)] < sums.numbers[at(b)]; });
  return sample_rows(sums.sample.block(), order);
}

/// Rows in parts: which are held out, and which of them are copied to be scored.
struct DealtRows {
  PartOf part_of;
  Index parts = 1;
  std::function<bool(Index)> scored;
};

/// With a rule, leaving one row out says little where others of its group, or later ones, stay: held-out rows are
/// scored, by the fit to the others, and these have sums of their own even where λ is given.
DealtRows deal_rows(const Plan::State& plan, const Data& table, const TablePart& part, Index rows, const Run& run) {
  const Method& method = method_of(plan.fit);
  const Task task = plan.encoder.target().task;
  const bool hold_out = method.holds_out != nullptr ? method.holds_out(plan.fit) : !plan.fit.lambda;
  if (plan.held_out.none())
    return {held_out_part(RowRule(), plan.family, plan.fit), hold_out ? 2 : 1,
            method.solve_scores ? scored_rows(rows, task) : [](Index) { return false; }};
  const PartOf part_of =
      plan.held_out.part_of(fingerprinted(table, plan.texts, std::make_shared<Fingerprint>()), run, part.first_row);
  if (!method.solve_scores) return {part_of, hold_out ? 2 : 1, [](Index) { return false; }};
  return {part_of, 2, [part_of, drawn = scored_rows(plan.held_out.rows, task)](Index row) {
            return part_of(row) == 1 && drawn(row);
          }};
}

/// The sample, which is of held-out rows, by the fit to the others; as solve_least_squares scores others.
void score_held_out(const Sums::State& sums, FitOptions fit, const Run& run, FitResult& result) {
  const Plan::State& plan = sums.plan.state();
  const auto sample = sorted_sample(sums);
  const std::vector<Accumulator>& parts = sums.sums.parts;
  if (sample->rows() == 0 || !(parts.front().weight() > 0)) return;
  fit.lambda = result.report.number("lambda");
  const Task task = plan.encoder.target().task;
  const auto none = sample_rows(sums.sample.block(), {});
  const FitResult others =
      method_of(fit).solve({plan.map, *none, task, fit, plan.family, run}, {parts.front(), {}, sums.sums.shift});
  result.left_out = {score_rows(*sample, task, plan.map, others.coefficients, others.intercepts, run),
                     ScoredBy::held_out_rows};
  if (task != Task::regression) result.calibration = result.left_out.rows.common_sigmoid();
}

/// Throws where there are no rows, or none to choose λ by.
void check_sums_of(const PartSums& sums, const FitOptions& fit) {
  const auto weighs = [](const Accumulator& part) { return part.weight() > 0; };
  if (!fit.lambda || std::none_of(sums.parts.begin(), sums.parts.end(), weighs)) check_parts(sums.parts);
}

FitResult solve_sums_of(const Sums::State& sums, const FitOptions& fit, const Run& run) {
  const Plan::State& plan = sums.plan.state();
  const bool by_rule = !plan.held_out.none();
  HeldOutSums held_out = HeldOutSums::of(sums.sums);
  if (fit.lambda && held_out.held_out) {
    const std::vector<double> shift = held_out.shift;
    held_out = {std::move(held_out).all(), std::nullopt, shift};
  }
  const auto sample = by_rule ? sample_rows(sums.sample.block(), {}) : sorted_sample(sums);
  const Method& method = method_of(fit);
  FitResult result =
      method.solve({plan.map, *sample, plan.encoder.target().task, fit, plan.family, run}, std::move(held_out));
  if (by_rule && method.solve_scores) score_held_out(sums, fit, run, result);
  return result;
}

void report_parts(const Sums& sums, ModelParts& parts) {
  const std::vector<TablePart> missing = sums.missing();
  if (!missing.empty())
    parts.report.warnings.push_back(fmt::format(
        "the model is fitted on {} of the plan's {} parts ({} of {} rows); missing: {}", sums.parts().size(),
        sums.plan().parts().size(), sums.rows(), sums.plan().rows(), names_of(missing)));
}

}  // namespace

Sums Sums::of(const Plan& plan, const Data& table, const Run& given, std::optional<Index> first_row) {
  Run run = given;
  run.max_seconds = 0;
  const Plan::State& known = plan.state();
  State state{.plan = plan};
  const Fingerprint found = fingerprint_of(table, known.texts, run);
  if (found.rows == 0) return Sums(std::make_shared<const State>(std::move(state)));
  const Index position = find_part(plan, found, table.name(), first_row);
  const TablePart& known_part = plan.parts()[at(position)];
  const DealtRows dealt = deal_rows(known, table, known_part, plan.rows(), run);
  const PartBlocks part(known.encoder, table, known_part, known.class_factors, run);
  const TakenRows rows(part, dealt.scored);
  state.sums = accumulate_parts({known.map, rows, known.encoder.target().task, known.fit, known.family, run},
                                dealt.parts, dealt.part_of);
  state.parts = {position};
  state.sample = rows.taken();
  state.numbers = rows.numbers();
  return Sums(std::make_shared<const State>(std::move(state)));
}

void Sums::merge(const Sums& others) {
  const State& more = others.state();
  if (more.plan.number() != plan().number())
    throw Error(ErrorKind::data, "these are sums of another plan", names_of(others.parts()),
                "merge sums that were made with one plan");
  std::vector<Index> both;
  std::set_intersection(state_->parts.begin(), state_->parts.end(), more.parts.begin(), more.parts.end(),
                        std::back_inserter(both));
  if (!both.empty())
    throw Error(ErrorKind::data, fmt::format("the rows of {} are in both", names_of(parts_at(plan(), both))), {},
                "merge the sums of every part once");
  State merged = *state_;
  merged.parts.insert(merged.parts.end(), more.parts.begin(), more.parts.end());
  std::sort(merged.parts.begin(), merged.parts.end());
  if (!more.parts.empty()) merge_parts(more.sums, merged.sums);
  merged.numbers.insert(merged.numbers.end(), more.numbers.begin(), more.numbers.end());
  merged.sample = GatheredRows::joined(std::vector{state_->sample, more.sample});
  state_ = std::make_shared<const State>(std::move(merged));
}

const Plan& Sums::plan() const {
  return state_->plan;
}

std::vector<TablePart> Sums::parts() const {
  return parts_at(plan(), state_->parts);
}

std::vector<TablePart> Sums::missing() const {
  std::vector<Index> others;
  for (Index k = 0; k < static_cast<Index>(plan().parts().size()); ++k)
    if (!std::binary_search(state_->parts.begin(), state_->parts.end(), k)) others.push_back(k);
  return parts_at(plan(), others);
}

Index Sums::rows() const {
  const std::vector<TablePart> all = parts();
  return std::accumulate(all.begin(), all.end(), Index{0},
                         [](Index sum, const TablePart& part) { return sum + part.rows; });
}

Model solve(const Sums& sums, const SolveOptions& options, const Run& run) {
  check_options(options);
  const Plan::State& plan = sums.plan().state();
  if (sums.parts().empty())
    throw Error(ErrorKind::data, "there are no rows to fit", {}, "merge the sums of the plan's parts");
  if (const std::vector<TablePart> missing = sums.missing(); !missing.empty() && !options.allow_missing)
    throw Error(ErrorKind::data,
                fmt::format("the sums of {} of the plan's {} parts are missing: {}", missing.size(), plan.parts.size(),
                            names_of(missing)),
                {}, "sum and merge them too, or use ‹allow_missing›");
  FitOptions fit = plan.fit;
  if (options.lambda) fit.lambda = options.lambda;
  check_fit_options(fit, plan.map.sections() != nullptr ? FamilyOptions{} : plan.family);
  check_sums_of(sums.state().sums, fit);
  const Task task = plan.encoder.target().task;
  FitResult result = solve_sums_of(sums.state(), fit, run);
  if (task != Task::regression && result.calibration.slope.empty() && !method_of(fit).solve_scores)
    result.report.warnings.emplace_back(
        "the model predicts classes and scores, without probabilities: these would need the rows again");
  ModelParts parts{.encoder = plan.encoder, .map = plan.map};
  store_result(std::move(result), parts);
  report_parts(sums, parts);
  store_origin(plan.family, fit, names_of(sums.parts()), sums.rows(), parts);
  store_cells(plan.read.na_values, parts);
  store_rule(plan.held_out.options, plan.held_out.describe(), parts);
  return Model(std::move(parts));
}

}  // namespace weft
