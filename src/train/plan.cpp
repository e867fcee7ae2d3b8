#include "train/sums_state.hpp"

#include "data/encode/statistics_state.hpp"
#include "data/rows/training_rows.hpp"
#include "features/draws.hpp"
#include "methods/method.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include <fmt/format.h>

namespace weft {

using namespace detail;

namespace {

[[noreturn]] void refuse_plan(const char* field, const std::string& why, const std::string& hint) {
  throw Error(ErrorKind::option, why, option_mark(field), hint);
}

/// Throws where sums do not determine what is asked for.
void check_options_of(const FitOptions& fit, const FamilyOptions& family) {
  check_fit_options(fit, family);
  const Method& method = method_of(fit);
  if (method.solve == nullptr)
    refuse_plan("fit", fmt::format("sums over the rows do not determine {}, which reads them again", method.name),
                "use ‹fit› least-squares, lasso, or kernel-ridge with ‹landmarks›");
  if (own_value<bool>(fit.method, "calibrate") == true)
    refuse_plan("calibrate", "it reads all rows again, and sums are what is left of them",
                "leave it out: probabilities are calibrated on rows that are kept with the sums");
  if (fit.intervals && !method.solve_scores)
    refuse_plan("intervals", "a second fit needs the rows, and sums are what is left of them",
                "leave it out, or use ‹fit› least-squares, which has intervals without it");
  // What no number of rows makes possible is said before they are counted.
  if (method.check_sums != nullptr) method.check_sums(fit, std::numeric_limits<Index>::max());
}

/// Tables with rows, in their order: positions in the request.
std::vector<std::size_t> ordered(const PlanRequest& request) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < request.tables.size(); ++k)
    if (request.statistics[k].rows() > 0) order.push_back(k);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return request.statistics[a].first_row() < request.statistics[b].first_row();
  });
  return order;
}

void check_different(const std::vector<PartStatistics>& statistics) {
  std::map<std::pair<Index, std::uint64_t>, std::string> known;
  for (const PartStatistics& each : statistics)
    for (const TablePart& part : each.parts())
      if (const auto [entry, fresh] = known.emplace(std::pair(part.rows, part.checksum), part.name); !fresh)
        throw Error(ErrorKind::data, fmt::format("it has the same rows as {}", entry->second), part.name,
                    "name every part once; weight rows that count twice with ‹weights›");
}

/// W / (K · W_k) from the numbers of rows.
std::vector<double> balanced_factors(const EncoderStatistics::State& columns, const TargetInfo& target) {
  if (target.classes.empty())
    refuse_plan("class_weights", "class weights need a classification target",
                "leave it out, or set ‹task› classification");
  if (!columns.weights.empty())
    refuse_plan("class_weights", "the weight of each class is not known before the rows are summed",
                "leave it out, and multiply the weights of the rows by those of their classes");
  const TargetStats& stats = columns.targets.front();
  const std::vector<std::string> labels = stats.labels(columns.target_dictionary);
  const std::vector<Index> counts = stats.counts();
  std::vector<double> factors(target.classes.size(), 0.0);
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const auto found = std::find(target.classes.begin(), target.classes.end(), labels[k]);
    factors[static_cast<std::size_t>(found - target.classes.begin())] =
        static_cast<double>(columns.rows) / (static_cast<double>(factors.size()) * static_cast<double>(counts[k]));
  }
  return factors;
}

/// All parts, one after the other.
class AllBlocks final : public BlockSource {
 public:
  AllBlocks(const PlanRequest& request, const std::vector<std::size_t>& order, const Plan::State& plan) {
    for (const std::size_t k : order)
      parts_.emplace_back(plan.encoder, request.tables[k], request.statistics[k].parts().front(), plan.class_factors,
                          request.run);
  }

  Index rows() const override {
    return std::accumulate(parts_.begin(), parts_.end(), Index{0},
                           [](Index sum, const PartBlocks& part) { return sum + part.rows(); });
  }
  Index outputs() const override { return parts_.front().outputs(); }
  const TrainingBlock* in_memory() const override { return nullptr; }
  void for_each(const std::function<bool(const TrainingBlock&)>& consume) const override {
    bool more = true;
    for (const PartBlocks& part : parts_) {
      part.for_each([&](const TrainingBlock& block) { return more = consume(block); });
      if (!more) return;
    }
  }

 private:
  std::vector<PartBlocks> parts_;
};

Encoder with_levels(const Encoder& encoder, const PlanRequest& request, const std::vector<std::size_t>& order) {
  const std::vector<Encoder::LevelCount> many = encoder.many_levels();
  if (many.empty()) return encoder;
  if (const RuleValues& rule = request.statistics.front().state().rule; !rule.none())
    refuse_plan(
        rule.options.name().c_str(),
        fmt::format("the effects of the {} categories of column '{}' must not be estimated from rows that belong "
                    "together, and these may be in several parts",
                    many.front().levels, many.front().variable),
        fmt::format("use ‹max_levels› 0 or ‹drop› {}, or fit all rows together", many.front().variable));
  if (request.levels) return encoder.with_effects(*request.levels, request.run);
  if (request.tables.empty())
    refuse_plan("max_levels",
                fmt::format("column '{}' has {} categories, whose effects on the target are estimated from the rows",
                            many.front().variable, many.front().levels),
                fmt::format("name the tables themselves, use ‹max_levels› 0 or ‹drop› {}", many.front().variable));
  std::optional<LevelStatistics> levels;
  for (const std::size_t k : order) {
    const LevelStatistics part =
        LevelStatistics::of(encoder, request.tables[k], request.run, request.statistics[k].first_row());
    if (levels)
      levels->merge(part);
    else
      levels = part;
  }
  return encoder.with_effects(*levels, request.run);
}

/// The rows that were drawn, encoded; each by its own number, which decides the effects of its categories.
GatheredRows encoded(const DrawnRows& drawn, const Plan::State& plan, const Run& run) {
  const auto rows = static_cast<Index>(drawn.numbers.size());
  const auto gather = [&](const BlockSource& source) {
    std::vector<Index> all(static_cast<std::size_t>(source.rows()));
    std::iota(all.begin(), all.end(), Index{0});
    return gather_rows(source, all);
  };
  if (plan.encoder.many_levels().empty())
    return gather(*streamed_rows(plan.encoder, drawn.table, plan.class_factors, run, rows, 0));
  GatheredRows all;
  const Index first_only[] = {0};
  for (Index i = 0; i < rows; ++i)
    streamed_rows(plan.encoder, drawn.table.rows(i, i + 1), plan.class_factors, run, 1,
                  drawn.numbers[static_cast<std::size_t>(i)])
        ->for_each([&](const TrainingBlock& block) {
          if (i == 0) all.allot(block, rows);
          all.put(block, first_only, i);
          return true;
        });
  return all;
}

FeatureMap make_features(const PlanRequest& request, const std::vector<std::size_t>& order, const Plan::State& plan) {
  const Method& method = method_of(plan.fit);
  const Index rows = plan.encoder.rows_seen();
  const auto made = [&](const BlockSource& from) {
    return make_map(
               {plan.family, plan.fit, plan.encoder.inputs(), {from, from}, plan.encoder.target().task, request.run})
        .map;
  };
  const bool sampled = samples_from_data(plan.family.sampling);
  if (!sampled && method.drawn_rows == nullptr) return FeatureMap::draw(plan.family, plan.encoder.inputs());
  const auto numbers = sampled ? std::nullopt : method.drawn_rows(plan.fit, plan.family, rows);
  if (request.drawn && numbers) {
    if (request.drawn->numbers != *numbers)
      throw Error(ErrorKind::option, "these are not the rows by which features are chosen", request.drawn->table.name(),
                  "give those that rows_to_draw names");
    const GatheredRows drawn = encoded(*request.drawn, plan, request.run);
    return made(DrawnBlocks(drawn, *numbers, rows));
  }
  if (request.tables.empty())
    refuse_plan(sampled   ? "sampling"
                : numbers ? "landmarks"
                          : "landmark_sampling",
                "features are chosen by the rows, and statistics have none", "name the tables themselves");
  const AllBlocks all(request, order, plan);
  if (!numbers) return made(all);
  const GatheredRows drawn = gather_rows(all, *numbers);
  return made(DrawnBlocks(drawn, *numbers, rows));
}

}  // namespace

std::vector<Index> rows_to_draw(const PlanRequest& request) {
  check_options_of(request.fit, request.family);
  const Method& method = method_of(request.fit);
  const bool sampled = samples_from_data(request.family.sampling);
  if (!sampled && method.drawn_rows == nullptr) return {};
  Index rows = 0;
  for (const PartStatistics& part : request.statistics) rows += part.rows();
  if (method.check_sums != nullptr) method.check_sums(request.fit, rows);
  const auto numbers = sampled ? std::nullopt : method.drawn_rows(request.fit, request.family, rows);
  if (!numbers)
    refuse_plan(sampled ? "sampling" : "landmark_sampling", "features are chosen by all rows",
                sampled ? "use plain, orthogonal, structured, halton or sobol" : "use uniform or pivoted");
  return *numbers;
}

Plan Plan::of(const PlanRequest& request) {
  check_options_of(request.fit, request.family);
  const PartStatistics all = merged(request.statistics);
  const EncoderStatistics& columns = all.columns();
  const std::vector<std::size_t> order = ordered(request);
  const Method& method = method_of(request.fit);
  const Encoder inputs = Encoder::fit(columns, request.run);
  if (method.check_sums != nullptr) method.check_sums(request.fit, columns.rows());
  Plan::State plan{.parts = all.parts(),
                   .read = all.read(),
                   .texts = all.texts(),
                   .encoder = with_levels(inputs, request, order),
                   .family = resolve_family(request.fit, request.family, inputs.inputs()),
                   .fit = request.fit,
                   .map = FeatureMap::from_parts({}, inputs.inputs())};
  if (request.fit.class_weights == ClassWeighting::balanced)
    plan.class_factors = balanced_factors(columns.state(), plan.encoder.target());
  if (const RuleValues& rule = all.state().rule; !rule.none())
    plan.held_out = held_out_values(rule, plan.family, plan.fit);
  check_memory(plan.fit, plan.family, {0, columns.rows(), inputs.inputs().columns()}, request.run);
  plan.map = make_features(request, order, plan);
  if (plan.map.sections() != nullptr) plan.family.family = plan.map.sections()->kernel.name();
  return numbered(std::move(plan));
}

Plan Plan::of(const std::vector<Data>& parts, const FamilyOptions& family, const FitOptions& fit,
              const EncodeOptions& encode, const Run& run) {
  check_options(encode);
  check_options_of(fit, family);
  PlanRequest request{{}, family, fit, run, parts};
  Index rows = 0;
  std::vector<std::string> texts;
  for (const Data& part : parts) {
    request.statistics.push_back(PartStatistics::of(part, encode, run, rows, texts));
    if (rows == 0) texts = request.statistics.back().texts();
    rows += request.statistics.back().rows();
  }
  check_different(request.statistics);
  return of(request);
}

const std::vector<TablePart>& Plan::parts() const {
  return state_->parts;
}
const Encoder& Plan::encoder() const {
  return state_->encoder;
}
const FeatureMap& Plan::map() const {
  return state_->map;
}
const FamilyOptions& Plan::family() const {
  return state_->family;
}
const FitOptions& Plan::fit() const {
  return state_->fit;
}
Index Plan::rows() const {
  return state_->encoder.rows_seen();
}
std::string Plan::validation() const {
  return state_->held_out.describe();
}
std::uint64_t Plan::number() const {
  return state_->number;
}

Data Plan::read(const std::string& path, const Run& run) const {
  const Data table = weft::read(path, state_->read);
  return state_->encoder.options().missing == MissingCells::error ? table : rows_with_target(table, {}, run);
}

}  // namespace weft
