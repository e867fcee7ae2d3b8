// What remains of leverage-score sampling, and of 100 weighted features for 1000 plain ones, under the objectives of Ma
// et al. 2025 themselves: the pool learns without a penalty (eq. 8), scores have λ = 1/n, features are drawn with
// replacement, and eq. 6 with ‖a‖ ≤ 1 and λ* = 1/√n (their example) or 1/n is solved, once exactly and once by their
// stochastic gradient descent on the same objective.

#include "learned_sgd.hpp"
#include "paired_tests.hpp"
#include "statistics.hpp"
#include "trained.hpp"

#include <cmath>
#include <map>

#include <fmt/format.h>

namespace weft::papers {

namespace {

const std::vector<std::string> kOwnSets = {"casp", "adult"};
const std::vector<std::string> kOwnLambdas = {"1/sqrt(n)", "1/n"};

struct Scheme {
  std::string name;
  Index features;
  bool weighted;
};
std::vector<Scheme> schemes_of(const Bench& bench) {
  const Index few = bench.sized(6, 30, 100), many = 10 * few;
  return {{"plain, few", few, false}, {"weighted, few", few, true}, {"plain, many", many, false}};
}

std::vector<Json> plan_own(const Bench& bench) {
  std::vector<Json> keys;
  for (int seed = 1; seed <= bench.sized(2, 3, 5); ++seed)
    for (const std::string& set : kOwnSets) {
      if (!bench.data.has(set)) continue;
      for (const std::string& strength : kOwnLambdas)
        for (const Scheme& scheme : schemes_of(bench))
          keys.push_back({{"set", set},
                          {"seed", seed},
                          {"rows", bench.sized(80, 800, 3000)},
                          {"lambda", strength},
                          {"scheme", scheme.name},
                          {"features", scheme.features},
                          {"pool", bench.sized(30, 300, 3000)},
                          {"grid_points", 16},
                          {"epochs", bench.sized(2, 10, 50)}});
    }
  return keys;
}

Json compute_own(const Json& key, const Bench& bench) {
  const CellData cell = open_cell(key, bench);
  const auto rows = static_cast<double>(count_rows(cell.data.train));
  const double lambda = text_of(key, "lambda") == "1/n" ? 1 / rows : 1 / std::sqrt(rows);
  FamilyOptions family = drawn("rks-relu", integer_of(key, "features"), cell);
  LearnedActivationOptions own{.basis = ActivationBasis::Kind::rbf,
                               .grid_points = integer_of(key, "grid_points"),
                               .activation_norm = ActivationNorm::coefficients,
                               .activation_radius = 1};
  if (text_of(key, "scheme") == "weighted, few") {
    family.sampling = Sampling::leverage;
    family.replacement = true;
    family.candidates = integer_of(key, "pool");
    family.sampling_lambda = 1 / rows;
    own.pool_objective = LearnedObjective::balanced;
  }
  const auto loss = [&](const Model& model) {
    const Evaluation test = evaluate(model, cell.data.test, bench.run);
    return test.logloss ? *test.logloss : *test.mse / cell.variance;
  };
  const Model model = fit({cell.data.train, family, {.method = own, .lambda = lambda}, cell.encode, bench.run});
  const ModelParts& parts = model.parts();
  const SgdOptions descent{.basis = own.basis,
                           .grid_points = own.grid_points,
                           .epochs = integer_of(key, "epochs"),
                           .lambda = lambda,
                           .radius = 1,
                           .seed = cell.seed};
  const FeatureMap start = parts.map.with_activation(find_activation("relu"));
  const Rows train = load_rows(parts.encoder, cell.data.train, bench.run);
  return {{"exact", loss(model)},
          {"sgd", loss(descend_stochastically(parts.encoder, start, train, descent, bench.run))},
          {"distinct", parts.map.features()}};
}

/// Ours less theirs over the seeds that both have.
std::vector<double> own_differences(const std::vector<Cell>& cells, Json place, const char* solver,
                                    const std::string& ours, const std::string& theirs) {
  std::map<std::int64_t, double> losses[2];
  for (int side = 0; side < 2; ++side) {
    place["scheme"] = side == 0 ? ours : theirs;
    for (const Cell& cell : cells) {
      bool same = true;
      for (const auto& [name, member] : place.items()) same = same && cell.key.at(name) == member;
      if (same) losses[side][integer_of(cell.key, "seed")] = cell.values.at(solver).get<double>();
    }
  }
  std::vector<double> differences;
  for (const auto& [seed, loss] : losses[0])
    if (const auto found = losses[1].find(seed); found != losses[1].end()) differences.push_back(loss - found->second);
  return differences;
}

std::vector<ReportSection> present_own(const std::vector<Cell>& cells, const Bench& bench) {
  const std::vector<Scheme> schemes = schemes_of(bench);
  ReportTable losses{.caption =
                         "test loss (mse over variance, or log loss), mean ± standard error over the seeds; "
                         "distinct: features that are left of those drawn with replacement",
                     .columns = {"data set", "lambda", "solver"}};
  for (const Scheme& scheme : schemes) losses.columns.push_back(fmt::format("{} ({})", scheme.name, scheme.features));
  losses.columns.emplace_back("distinct");
  std::vector<Comparison> compared;
  for (const std::string& set : kOwnSets)
    for (const std::string& strength : kOwnLambdas)
      for (const char* solver : {"exact", "sgd"}) {
        Json place = {{"set", set}, {"lambda", strength}};
        std::vector<ReportCell> row = {set, strength, solver};
        for (const Scheme& scheme : schemes) {
          place["scheme"] = scheme.name;
          const Summary mean = summary_of(values_of(cells, place, solver));
          row.push_back(mean.count > 0
                            ? ReportCell(fmt::format("{:.4f} ± {:.4f}", mean.mean, mean.standard_error), mean.mean)
                            : "");
        }
        place["scheme"] = "weighted, few";
        const Summary distinct = summary_of(values_of(cells, place, "distinct"));
        if (distinct.count == 0) continue;
        row.emplace_back(fmt::format("{:.1f}", distinct.mean), distinct.mean);
        losses.rows.push_back(std::move(row));
        place.erase("scheme");
        for (const char* other : {"plain, few", "plain, many"}) {
          std::vector<double> differences = own_differences(cells, place, solver, "weighted, few", other);
          const double p = paired_t_p(differences, split_overlap(set));
          compared.push_back({{set, strength, solver, other}, std::move(differences), p});
        }
      }
  ReportSection section{.heading = "Weighted features under the paper's own objectives", .tables = {std::move(losses)}};
  section.tables.push_back(
      comparison_table("loss with few weighted features less that of others, over the seeds: "
                       "Student's t, corrected where splits share rows",
                       {"data set", "lambda", "solver", "against"}, compared));
  return {std::move(section)};
}

}  // namespace

Experiment rflaf_question_leverage() {
  return {{"rflaf-question-leverage", source_of("rflaf", "Algorithm 1"),
           "what remains of weighted features under the paper's own objectives?", kOwnSets},
          plan_own,
          compute_own,
          present_own};
}

}  // namespace weft::papers
