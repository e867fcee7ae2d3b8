// Three questions that Anonymous 2026 leaves open: is the L²(p) norm a better penalty than that of the RKHS (section
// 6.4)? Is it the limit of infinitely many features, kernel ridge regression with K_X, that explains why few of them
// suffice (section 7.5)? And can that limit, whose rows are left out in closed form, choose the family before any
// feature is drawn? Preprocessing and ranges are the paper's; λ comes from a path wherever fits are compared, so that
// no penalty has a range made for another.

#include "curves.hpp"
#include "paired_tests.hpp"
#include "random.hpp"
#include "statistics.hpp"
#include "trained.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

namespace weft::papers {

namespace {

const std::vector<std::string> kQuestionSets = {"breast_cancer", "magic",    "phishing", "bank_marketing",    "abalone",
                                                "concrete",      "diabetes", "wine",     "california_housing"};

/// The paper's options without the ridge of eq. 82, which is stronger than small λs of either penalty.
FitOptions without_ridge(const CellData& cell) {
  FitOptions fit;
  fit.intercept = !cell.paper;
  return fit;
}

struct Searched {
  double validated = 0;  ///< loss of five folds
  Trained trained;
};

Searched search_path(const CellData& cell, const FamilyOptions& family, const FitOptions& fit, Index configurations,
                     const Run& run) {
  TuneOptions search;
  search.configurations = configurations;
  const TuneRequest request{cell.data.train, family, fit, cell.encode, search, run};
  const TuneResult tuned = tune(request);
  return {tuned.winner().score, train_and_test(cell, winner_request(request, tuned))};
}

std::vector<Json> question_keys(const Bench& bench, int seeds, const Json& rest) {
  std::vector<Json> keys;
  for (int seed = 1; seed <= seeds; ++seed)
    for (const std::string& set : kQuestionSets) {
      if (!bench.data.has(set)) continue;
      Json& key = keys.emplace_back(Json{{"set", set}, {"seed", seed}, {"protocol", "paper"}});
      key.update(rest);
    }
  return keys;
}

/// Values of cells with these members, by set and seed.
using BySeed = std::map<std::string, std::map<std::int64_t, double>>;
BySeed by_seed(const std::vector<Cell>& cells, const Json& members, const char* value) {
  BySeed found;
  for (const Cell& cell : cells) {
    bool same = cell.values.contains(value);
    for (const auto& [name, member] : members.items()) same = same && cell.key.at(name) == member;
    if (same) found[text_of(cell.key, "set")][integer_of(cell.key, "seed")] = cell.values.at(value).get<double>();
  }
  return found;
}

/// Ours less theirs where both are there: per set over its seeds, and over sets the mean of each.
void compare(const BySeed& ours, const BySeed& theirs, const std::vector<ReportCell>& labels,
             std::vector<Comparison>& over_sets, std::vector<Comparison>& over_seeds) {
  Comparison all{.labels = labels, .differences = {}};
  for (const auto& [set, values] : ours) {
    const auto other = theirs.find(set);
    if (other == theirs.end()) continue;
    std::vector<double> differences;
    for (const auto& [seed, value] : values)
      if (const auto found = other->second.find(seed); found != other->second.end())
        differences.push_back(value - found->second);
    if (differences.empty()) continue;
    all.differences.push_back(summary_of(differences).mean);
    if (differences.size() < 2) continue;
    std::vector<ReportCell> named = {set};
    named.insert(named.end(), labels.begin(), labels.end());
    const double p = paired_t_p(differences, split_overlap(set));
    over_seeds.push_back({std::move(named), std::move(differences), p});
  }
  if (all.differences.empty()) return;
  all.p = wilcoxon_p(all.differences);
  over_sets.push_back(std::move(all));
}

ReportSection comparison_section(const std::string& heading, const std::string& what,
                                 const std::vector<std::string>& labels, const std::vector<Comparison>& over_sets,
                                 const std::vector<Comparison>& over_seeds) {
  ReportSection section{.heading = heading, .paragraphs = {what}};
  section.tables.push_back(
      comparison_table("over data sets, the mean of each: Wilcoxon's signed-rank test, exact", labels, over_sets));
  if (over_seeds.empty()) return section;
  std::vector<std::string> with_set = {"data set"};
  with_set.insert(with_set.end(), labels.begin(), labels.end());
  section.tables.push_back(comparison_table(
      "over the seeds of each data set: Student's t, corrected where splits share rows (Nadeau & Bengio 2003)",
      with_set, over_seeds));
  return section;
}

// --- L²(p) or RKHS norm ------------------------------------------------------------------------------------------

const std::vector<std::string> kNormFamilies = {"rw-sign", "rw-relu", "rw-exp-sign", "rw-stumps"};

std::vector<Json> plan_norms(const Bench& bench) {
  std::vector<Json> keys;
  for (const Json& key : question_keys(bench, bench.sized(2, 3, 5),
                                       {{"features", bench.sized(15, 100, 300)},
                                        {"configurations", bench.sized(2, 6, 12)},
                                        {"rows", bench.sized(100, 800, 2000)}}))
    for (const std::string& family : kNormFamilies)
      for (const char* regularizer : {"rkhs", "l2p"}) {
        Json& with = keys.emplace_back(key);
        with["family"] = family;
        with["regularizer"] = regularizer;
      }
  return keys;
}

Json compute_norms(const Json& key, const Bench& bench) {
  const CellData cell = open_cell(key, bench);
  FitOptions fit = without_ridge(cell);
  fit.use<LeastSquaresOptions>().regularizer = choice_of<Regularizer>(key, "regularizer");
  const FamilyOptions family = drawn(text_of(key, "family"), integer_of(key, "features"), cell);
  const Searched found = search_path(cell, family, fit, integer_of(key, "configurations"), bench.run);
  return {{"test", loss_of(found.trained.test, cell.variance)},
          {"train", loss_of(found.trained.train, cell.variance)},
          {"validated", found.validated}};
}

std::vector<ReportSection> present_norms(const std::vector<Cell>& cells, const Bench&) {
  std::vector<Comparison> over_sets, over_seeds;
  for (const std::string& family : kNormFamilies)
    compare(by_seed(cells, {{"family", family}, {"regularizer", "l2p"}}, "test"),
            by_seed(cells, {{"family", family}, {"regularizer", "rkhs"}}, "test"), {family}, over_sets, over_seeds);
  return {comparison_section("L2(p) norm against RKHS norm",
                             "Test error, or mse over the target's variance, with the L2(p) norm less that with the "
                             "RKHS norm, each with its own best hyperparameters: negative where L2(p) is better.",
                             {"family"}, over_sets, over_seeds)};
}

// --- The limit ---------------------------------------------------------------------------------------------------

struct Limit {
  FamilyOptions family;  ///< with the hyperparameters found
  double lambda = 0;
  double left_out = std::numeric_limits<double>::infinity();
  double dimension = 0;  ///< tr K(K + nλI)⁻¹
};

FitRequest limit_request(const CellData& cell, const FamilyOptions& family, std::optional<double> lambda,
                         const Run& run) {
  FitOptions fit = without_ridge(cell);
  fit.use<KernelRidgeOptions>().kernel = "implicit:" + *family.family;
  fit.lambda = lambda;
  FamilyOptions rest = family;
  rest.family = default_value("auto");
  rest.features = default_value(1000);
  return {cell.data.train, rest, fit, cell.encode, run};
}

/// σ, θ, κ and γ as in Table 14; the first configuration has σ = 1 and the middle of the others.
FamilyOptions configuration(FamilyOptions family, Index number) {
  const Random random(family.seed, Draws::fit);
  const auto u = [&](int which) {
    return number == 0 ? 0.5 : random.uniform(static_cast<std::uint64_t>(4 * number + which));
  };
  const std::string& name = *family.family;
  family.sigma = number == 0 ? 1 : 0.01 * std::pow(1000, u(0));
  if (name.starts_with("rks")) return family;
  if (name.ends_with("stumps"))
    family.gamma = 0.01 * std::pow(1000, u(1));
  else if (name.find("exp") != std::string::npos)
    family.kappa = 1.5 + u(2) * (name.ends_with("relu") ? 98.5 : 48.5);
  else
    family.theta = 0.01 + 0.89 * u(3);
  return family;
}

/// The configuration of the family whose limit has the least loss of rows left out, and its λ.
Limit best_limit(const CellData& cell, const FamilyOptions& family, Index configurations, const Run& run) {
  Limit best;
  const bool factor = *family.family == "rks-sign" || *family.family == "rks-relu";  // λ absorbs σ
  for (Index k = 0; k < (factor ? 1 : configurations); ++k) {
    const FamilyOptions tried = configuration(family, k);
    try {
      const FitReport report = fit(limit_request(cell, tried, std::nullopt, run)).parts().report;
      const double loss = report.number("loo_error") ? *report.number("loo_error") : *report.number("loo_mse");
      if (loss < best.left_out) best = {tried, *report.number("lambda"), loss, *report.number("effective_dimension")};
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::option && error.kind() != ErrorKind::data) throw;  // a kernel that vanishes
    }
  }
  if (!std::isfinite(best.left_out))
    throw Error(ErrorKind::data, "no configuration has a kernel that can be solved", cell.data.train.name());
  return best;
}

const std::vector<std::string> kLimitFamilies = {"rw-relu", "rks-relu"};

std::vector<Json> plan_limit(const Bench& bench) {
  std::vector<Json> keys;
  for (const Json& key : question_keys(
           bench, bench.sized(2, 3, 5),
           {{"counts", bench.sized<std::vector<Index>>({5, 20}, {10, 30, 100, 300}, {10, 30, 100, 300, 1000})},
            {"configurations", bench.sized(2, 6, 12)},
            {"rows", bench.sized(60, 400, 700)}}))
    for (const std::string& family : kLimitFamilies) keys.emplace_back(key)["family"] = family;
  return keys;
}

/// What features lose to their limit, all with the hyperparameters that are best for the limit.
Json compute_limit(const Json& key, const Bench& bench) {
  const CellData cell = open_cell(key, bench);
  const FamilyOptions family = drawn(text_of(key, "family"), 1, cell);
  const Limit limit = best_limit(cell, family, integer_of(key, "configurations"), bench.run);
  const auto tested = [&](const FitRequest& request) {
    return loss_of(train_and_test(cell, request).test, cell.variance);
  };
  Json losses = Json::array();
  for (const Index count : key.at("counts").get<std::vector<Index>>()) {
    FitOptions fit = without_ridge(cell);
    fit.lambda = limit.lambda;
    FamilyOptions some = limit.family;
    some.features = count;
    losses.push_back(tested({cell.data.train, some, fit, cell.encode, bench.run}));
  }
  return {{"limit", tested(limit_request(cell, limit.family, limit.lambda, bench.run))},
          {"dimension", limit.dimension},
          {"losses", std::move(losses)}};
}

/// One cell per number of features, and the series by which figures know them.
std::vector<Cell> limit_points(const std::vector<Cell>& cells) {
  std::vector<Cell> points;
  for (const Cell& cell : cells)
    for (std::size_t k = 0; k < cell.values.at("losses").size(); ++k) {
      const double loss = cell.values.at("losses")[k].get<double>();
      points.push_back({{{"set", cell.key.at("set")},
                         {"series", cell.key.at("family")},
                         {"x", cell.key.at("counts")[k]},
                         {"seed", cell.key.at("seed")}},
                        {{"test", loss}, {"excess", loss - cell.values.at("limit").get<double>()}}});
    }
  return points;
}

ReportTable limits_table(const std::vector<Cell>& cells) {
  ReportTable table{.caption =
                        "the limits: effective dimension tr K(K + nλ)⁻¹ and test loss, and what features lose to "
                        "them; means over the seeds",
                    .columns = {"data set", "family", "effective dimension", "limit"}};
  if (cells.empty()) return table;
  const auto counts = cells.front().key.at("counts").get<std::vector<Index>>();
  for (const Index count : counts) table.columns.push_back(fmt::format("T = {} less limit", count));
  const std::vector<Cell> points = limit_points(cells);
  for (const std::string& set : kQuestionSets)
    for (const std::string& family : kLimitFamilies) {
      const Json part = {{"set", set}, {"family", family}};
      const Summary limit = summary_of(values_of(cells, part, "limit"));
      if (limit.count == 0) continue;
      const double dimension = summary_of(values_of(cells, part, "dimension")).mean;
      std::vector<ReportCell> row = {
          set, family, {fmt::format("{:.1f}", dimension), dimension}, {fmt::format("{:.4f}", limit.mean), limit.mean}};
      for (const Index count : counts) {
        const double mean =
            summary_of(values_of(points, {{"set", set}, {"series", family}, {"x", count}}, "excess")).mean;
        row.emplace_back(fmt::format("{:+.4f}", mean), mean);
      }
      table.rows.push_back(std::move(row));
    }
  return table;
}

std::vector<ReportSection> present_limit(const std::vector<Cell>& cells, const Bench& bench) {
  const std::vector<Cell> points = limit_points(cells);
  std::vector<Comparison> over_sets, over_seeds;
  for (const auto& [value, what] : {std::pair{"dimension", "effective dimension"}, std::pair{"limit", "the limits"}})
    compare(by_seed(cells, {{"family", "rw-relu"}}, value), by_seed(cells, {{"family", "rks-relu"}}, value), {what},
            over_sets, over_seeds);
  if (!cells.empty())
    for (const Index count : cells.front().key.at("counts").get<std::vector<Index>>())
      for (const auto& [value, what] : {std::pair{"test", "T = {}"}, std::pair{"excess", "T = {}, less own limit"}})
        compare(by_seed(points, {{"series", "rw-relu"}, {"x", count}}, value),
                by_seed(points, {{"series", "rks-relu"}, {"x", count}}, value),
                {fmt::format(fmt::runtime(what), count)}, over_sets, over_seeds);
  std::vector<ReportSection> sections = {
      comparison_section("Weightings against kitchen sinks",
                         "Test loss (and effective dimension) of rw-relu less that of rks-relu, hyperparameters being "
                         "those that are best for "
                         "each limit: negative where the weighting is better.",
                         {"with"}, over_sets, over_seeds)};
  sections.front().tables.insert(sections.front().tables.begin(), limits_table(cells));
  const Figure figure = {.x_label = "features T", .log_x = true, .panels = {{"test", "test loss"}}};
  for (ReportSection& section : present_figure(figure, points, bench)) sections.push_back(std::move(section));
  return sections;
}

// --- The choice of a family --------------------------------------------------------------------------------------

const std::vector<std::string> kChosenFamilies = {"rw-sign", "rw-relu", "rw-exp-sign", "rw-exp-relu", "rw-stumps"};

std::vector<Json> plan_choice(const Bench& bench) {
  std::vector<Json> keys;
  for (const Json& key : question_keys(bench, bench.sized(2, 3, 5),
                                       {{"features", bench.sized(15, 100, 300)},
                                        {"configurations", bench.sized(2, 3, 8)},
                                        {"rows", bench.sized(60, 300, 600)}}))
    for (const std::string& family : kChosenFamilies) keys.emplace_back(key)["family"] = family;
  return keys;
}

Json compute_choice(const Json& key, const Bench& bench) {
  const CellData cell = open_cell(key, bench);
  const FamilyOptions family = drawn(text_of(key, "family"), integer_of(key, "features"), cell);
  const Index configurations = integer_of(key, "configurations");
  FitOptions fit = without_ridge(cell);
  const Searched found = search_path(cell, family, fit, configurations, bench.run);
  return {{"left_out", best_limit(cell, family, configurations, bench.run).left_out},
          {"validated", found.validated},
          {"test", loss_of(found.trained.test, cell.variance)}};
}

/// Test loss of the family with the least `by`, per set and seed; of all families the mean, where it is empty.
BySeed chosen_by(const std::vector<Cell>& cells, const std::string& by) {
  std::map<std::pair<std::string, std::int64_t>, std::vector<const Cell*>> groups;
  for (const Cell& cell : cells) groups[{text_of(cell.key, "set"), integer_of(cell.key, "seed")}].push_back(&cell);
  BySeed result;
  for (const auto& [place, group] : groups) {
    const auto test = [](const Cell* cell) { return cell->values.at("test").get<double>(); };
    double& loss = result[place.first][place.second];
    if (by.empty()) {
      for (const Cell* cell : group) loss += test(cell) / static_cast<double>(group.size());
      continue;
    }
    loss = test(*std::min_element(group.begin(), group.end(), [&](const Cell* a, const Cell* b) {
      return a->values.at(by).get<double>() < b->values.at(by).get<double>();
    }));
  }
  return result;
}

std::vector<ReportSection> present_choice(const std::vector<Cell>& cells, const Bench&) {
  const BySeed limit = chosen_by(cells, "left_out");
  std::vector<Comparison> over_sets, over_seeds;
  const std::vector<std::pair<std::string, BySeed>> others = {
      {"five folds with features", chosen_by(cells, "validated")},
      {"the best by the test rows", chosen_by(cells, "test")},
      {"the mean of the families", chosen_by(cells, "")},
      {"always rw-relu", by_seed(cells, {{"family", "rw-relu"}}, "test")}};
  for (const auto& [name, losses] : others) compare(limit, losses, {name}, over_sets, over_seeds);
  std::vector<ReportSection> sections = {
      comparison_section("Families chosen by the limit",
                         "Test loss of features of the family whose K_X has the least loss of rows left out, less that "
                         "of another choice: negative where the limit chooses better.",
                         {"against"}, over_sets, over_seeds)};
  return sections;
}

Experiment question(const std::string& name, const std::string& section, const std::string& title,
                    std::vector<Json> (*plan)(const Bench&), Json (*compute)(const Json&, const Bench&),
                    std::vector<ReportSection> (*present)(const std::vector<Cell>&, const Bench&)) {
  return {{name, source_of("rkhs", section), title, kQuestionSets}, plan, compute, present};
}

}  // namespace

Experiment rkhs_question_norm() {
  return question("rkhs-question-norm", "section 6.4", "is the L2(p) norm a better penalty than that of the RKHS?",
                  plan_norms, compute_norms, present_norms);
}

Experiment rkhs_question_limit() {
  return question("rkhs-question-limit", "section 7.5", "does the limit of infinitely many features explain few?",
                  plan_limit, compute_limit, present_limit);
}

Experiment rkhs_question_family() {
  return question("rkhs-question-family", "section 8", "can the limit choose the family before features are drawn?",
                  plan_choice, compute_choice, present_choice);
}

}  // namespace weft::papers
