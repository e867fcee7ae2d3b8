// Certificates of models made by hand and of fitted ones: numbers, versions, and what does not apply.
#include <weft/certify.hpp>
#include <weft/fit.hpp>
#include <weft/tune.hpp>

#include "data/expect_error.hpp"
#include "guarantee/certificates.hpp"
#include "model/sample_members.hpp"

#include <algorithm>
#include <numbers>

#include <nlohmann/json.hpp>

namespace weft::testing {

using namespace detail;

namespace {

TEST(Certify, NumbersOfAHandMadeModel) {
  const Model model(sample_parts("y", signs()));
  const Data data = sample_data(60, "y");
  const Certificate result = certify(model, data, {.delta = 0.1});

  const AllPredictions rows = predict_all(model, data, {.with_targets = true});
  double loss = 0, mean = 0, square = 0;
  for (std::size_t i = 0; i < 60; ++i) {
    loss += std::pow(rows.scores[i] - rows.targets[i], 2) / 60;
    mean += rows.targets[i] / 60;
    square += rows.targets[i] * rows.targets[i] / 60;
  }
  const auto [low, high] = std::minmax_element(rows.targets.begin(), rows.targets.end());
  const double radius = (*high - *low) / 2;
  const double intercept = std::abs(model.parts().intercepts[0] - (*low + *high) / 2);
  EXPECT_EQ(result.loss, "squared");
  EXPECT_EQ(result.rows, 60);
  EXPECT_NEAR(result.train_loss, loss, 1e-12 * loss);
  EXPECT_NEAR(result.trivial_loss, square - mean * mean, 1e-9);

  // The inputs are a, b, three cities and the bias: n = 6, and ρ = r at x = x'.
  const double ratio = 0.7 * 0.7 / (1.9 * 1.9);
  const double exact = std::sqrt(std::pow(1 + 2 * ratio, -3) * 2 / std::numbers::pi * std::asin(ratio / (1 + ratio)));
  const double paper = std::pow(1 + 2 * ratio, -1.5);
  EXPECT_NEAR(result.constants.theta.value(), exact, 1e-12);
  EXPECT_NEAR(result.constants.theta_bound.value(), paper, 1e-12);
  const double root = std::sqrt(std::log(10.0) / 2);
  for (const auto& [kind, theta] : {std::pair{"paper", paper}, std::pair{"exact", exact}}) {
    const double reach = theta * model.rkhs_norm(0) + intercept;
    const double rho = 2 * (reach + radius);
    const BoundLine& first = find(result, "Anonymous 2026, Theorem 6.2", "fixed", kind);
    const double gap = 2 * rho / std::sqrt(60) * (reach + (reach + radius) * root);
    EXPECT_NEAR(first.gap, gap, 1e-10 * gap);
    EXPECT_NEAR(first.bound, loss + gap, 1e-10 * gap);
    EXPECT_TRUE(first.vacuous);
    EXPECT_FALSE(first.error);
    EXPECT_NEAR(first.complexity.value(), reach / std::sqrt(60), 1e-12);
    EXPECT_NEAR(first.lower.value(), loss - gap, 1e-10 * gap);
    EXPECT_NEAR(first.rows_for_lower.value(), 60 * gap * gap / (loss * loss), 1e-6 * *first.rows_for_lower + 1);
    const double gap10 = (2 * rho * reach + (reach + radius) * (reach + radius) * root) / std::sqrt(60);
    EXPECT_NEAR(find(result, "Dubé & Marchand 2023, Theorem 10", "fixed", kind).gap, gap10, 1e-10 * gap10);
  }
  const double reach = *model.l2p_norm(0) + intercept;  // τ = 1
  const double gap = 4 * (reach + radius) / std::sqrt(60) * (reach + (reach + radius) * root);
  EXPECT_NEAR(find(result, "Anonymous 2026, Theorem 6.5", "fixed", "tau").gap, gap, 1e-10 * gap);
}

TEST(Certify, LearnedRadiiCostMoreAndTheSmallestOfThemIsNamed) {
  const Certificate result = certify(Model(sample_parts("y", signs())), sample_data(60, "y"));
  ASSERT_TRUE(result.best);
  const BoundLine& best = result.lines[*result.best];
  EXPECT_EQ(best.radius, "learned");
  for (const BoundLine& line : result.lines) {
    if (line.inapplicable || line.claim != "risk") continue;
    EXPECT_FALSE(line.assumes.empty());
    if (line.radius != "learned") continue;
    EXPECT_GE(line.bound, best.bound);
    EXPECT_GT(line.bound, find(result, line.name, "fixed", line.theta).bound);
  }
  EXPECT_LE(find(result, "Anonymous 2026, Theorem 6.2", "learned", "exact").bound,
            find(result, "Anonymous 2026, Theorem 6.2", "learned", "paper").bound);
}

TEST(Certify, FallsWithDelta) {
  const Model model(sample_parts("y", signs()));
  const Data data = sample_data(60, "y");
  const Certificate sure = certify(model, data, {.delta = 0.001});
  const Certificate bold = certify(model, data, {.delta = 0.2});
  for (std::size_t i = 0; i < sure.lines.size(); ++i) {
    if (sure.lines[i].inapplicable || sure.lines[i].claim == "pruning") continue;
    EXPECT_GT(sure.lines[i].bound, bold.lines[i].bound) << sure.lines[i].name;
  }
}

/// The table with "y" replaced by factor · y + shift.
Data changed_targets(double factor, double shift) {
  std::vector<TableColumn> table;
  for (TableColumn& column : sample_table(60))
    if (column.name == "a" || column.name == "b" || column.name == "city" || column.name == "y")
      table.push_back(std::move(column));
  for (double& y : std::get<std::vector<double>>(table[3].cells)) y = factor * y + shift;
  return memory_table(table, "y");
}

// 2y + 100 and a model to match: four times the squared loss, and every bound with it.
TEST(Certify, ASearchSharesDeltaAmongItsAlternatives) {
  const Data data = sample_data(60, "y");
  ModelParts parts = sample_parts("y", signs());
  const Certificate alone = certify(Model(parts), data, {.delta = 0.05 / 40});
  parts.provenance["alternatives"] = "40";
  const Certificate chosen = certify(Model(parts), data, {.delta = 0.05});
  ASSERT_EQ(alone.lines.size(), chosen.lines.size());
  for (std::size_t k = 0; k < alone.lines.size(); ++k)
    if (!alone.lines[k].inapplicable) {
      EXPECT_NEAR(alone.lines[k].gap, chosen.lines[k].gap, 1e-12 * alone.lines[k].gap) << alone.lines[k].name;
    }
  EXPECT_NE(chosen.notes.front().find("chosen from 40"), std::string::npos) << chosen.notes.front();
}

TEST(Certify, ASearchedModelIsCertifiedAsSearched) {
  const Data data = sample_data(60, "y");
  const TuneRequest request{data, {.family = "rw-sign", .features = 20}, {}, {}, {.configurations = 4, .folds = 3}};
  const TuneResult found = tune(request);
  const Certificate searched = certify(fit_winner(request, found), data);
  ASSERT_FALSE(searched.notes.empty());
  EXPECT_NE(searched.notes.front().find("chosen from 4"), std::string::npos) << searched.notes.front();
  FitRequest alone = winner_request(request, found);
  EXPECT_EQ(alone.alternatives, 4);
  alone.alternatives = 1;  // as if it had been the only one
  const Certificate fixed = certify(fit(alone), data);
  EXPECT_GT(find(searched, "Anonymous 2026, Theorem 6.2", "learned", "exact").gap,
            find(fixed, "Anonymous 2026, Theorem 6.2", "learned", "exact").gap);
}

TEST(Certify, KernelMachinesLieInTheBallOfTheirKernel) {
  const Data data = sample_data(60, "y");
  FitOptions ridge;
  ridge.method = KernelRidgeOptions{};
  ridge.lambda = 0.1;
  const Model model = fit({data, {}, ridge});
  const Certificate result = certify(model, data);
  EXPECT_NEAR(result.constants.theta.value(), 1, 1e-12);  // k(x, x) = 1
  const BoundLine& line = find(result, "Anonymous 2026, Theorem 6.2", "fixed", "exact");
  ASSERT_FALSE(line.inapplicable);
  const double reach = model.rkhs_norm(0) + std::abs(model.parts().intercepts[0] - result.target_centres[0]);
  const double radius = result.target_radii[0];
  const double gap =
      4 * (reach + radius) / std::sqrt(60) * (reach + (reach + radius) * std::sqrt(std::log(1 / 0.05) / 2));
  EXPECT_NEAR(line.gap, gap, 1e-9 * gap);
  // Gaps fall as 1/√m: the rows at which the bound is the loss of the best constant.
  ASSERT_TRUE(line.vacuous);
  const double wanted = result.trivial_loss - result.train_loss;
  ASSERT_GT(wanted, 0);
  EXPECT_NEAR(line.rows_needed.value(), 60 * gap * gap / (wanted * wanted), 1e-6 * *line.rows_needed + 1);
  // Theorem 6.3: both directions with δ/2.
  const BoundLine& excess = find(result, "Anonymous 2026, Theorem 6.3", "fixed", "exact");
  ASSERT_FALSE(excess.inapplicable);
  EXPECT_NEAR(excess.gap,
              8 * (reach + radius) / std::sqrt(60) * (reach + (reach + radius) * std::sqrt(std::log(2 / 0.05) / 2)),
              1e-9 * excess.gap);
  EXPECT_TRUE(find(result, "Anonymous 2026, Theorem 6.5", "learned", "tau").inapplicable);  // its centres are the rows
  EXPECT_TRUE(find(result, "Anonymous 2026, Theorem 6.8", "fixed", "exact").inapplicable);
}

TEST(Certify, PlainFeaturesChosenByTheRowsHaveNoGuarantee) {
  const Data data = sample_data(60, "y");
  FamilyOptions family;
  family.family = "rks-cos";
  family.features = 10;
  EXPECT_FALSE(find(certify(fit({data, family}), data), "Anonymous 2026, Theorem 6.5", "learned", "tau").inapplicable);
  family.sampling = Sampling::leverage_top;
  family.candidates = 40;
  EXPECT_TRUE(find(certify(fit({data, family}), data), "Anonymous 2026, Theorem 6.5", "learned", "tau").inapplicable);
}

TEST(Certify, UnitsAndZeroOfTheTargetDoNotMatter) {
  const Certificate plain = certify(Model(sample_parts("y", signs())), sample_data(60, "y"));
  ModelParts parts = sample_parts("y", signs());
  for (Index t = 0; t < parts.map.features(); ++t) parts.coefficients(t, 0) *= 2;
  parts.intercepts[0] = 2 * parts.intercepts[0] + 100;
  const Certificate other = certify(Model(parts), changed_targets(2, 100));
  for (std::size_t i = 0; i < plain.lines.size(); ++i) {
    if (plain.lines[i].inapplicable) continue;
    EXPECT_NEAR(other.lines[i].bound, 4 * plain.lines[i].bound, 1e-9 * other.lines[i].bound);
  }
}

TEST(Certify, TheInterceptWidensTheClass) {
  ModelParts parts = sample_parts("y", signs());
  parts.intercepts[0] = certify(Model(parts), sample_data(60, "y")).target_centres[0];
  const Certificate without = certify(Model(parts), sample_data(60, "y"));
  parts.intercepts[0] -= 2;
  const Certificate with = certify(Model(parts), sample_data(60, "y"));
  for (std::size_t i = 0; i < with.lines.size(); ++i) {
    if (with.lines[i].inapplicable || with.lines[i].claim == "pruning") continue;
    EXPECT_GT(with.lines[i].gap, without.lines[i].gap) << with.lines[i].name;
  }
}

TEST(Certify, SeveralOutputsShareDelta) {
  const Data both = sample_data(60, "y,z");
  const Model model(sample_parts("y,z", signs()));
  const Certificate result = certify(model, both, {.delta = 0.1});
  EXPECT_EQ(result.rkhs_norms.size(), 2u);
  double mean = 0;
  for (const char* target : {"y", "z"}) {
    ModelParts single = sample_parts(target, signs());
    const Index k = target == std::string("y") ? 0 : 1;
    for (Index t = 0; t < single.map.features(); ++t) single.coefficients(t, 0) = model.parts().coefficients(t, k);
    single.intercepts = {model.parts().intercepts[static_cast<std::size_t>(k)]};
    const Certificate part = certify(Model(single), sample_data(60, target), {.delta = 0.05});
    mean += find(part, "Dubé & Marchand 2023, Theorem 10", "fixed", "exact").bound / 2;
  }
  EXPECT_NEAR(find(result, "Dubé & Marchand 2023, Theorem 10", "fixed", "exact").bound, mean, 1e-9 * mean);
  EXPECT_NE(std::find_if(result.notes.begin(), result.notes.end(),
                         [](const std::string& note) { return note.find("means over the outputs") < note.size(); }),
            result.notes.end());
}

TEST(Certify, ClassesBoundTheErrorToo) {
  const Certificate two = certify(Model(sample_parts("yes", signs())), sample_data(60, "yes"));
  const BoundLine& line = find(two, "Dubé & Marchand 2023, Theorem 10", "fixed", "exact");
  EXPECT_EQ(two.target_radii, std::vector<double>{1});
  EXPECT_EQ(two.target_centres, std::vector<double>{0});
  EXPECT_EQ(line.error.value(), std::min(1.0, line.bound));

  // Three classes: a wrong largest score costs two outputs at least 1 each, and the loss is the mean over three.
  ModelParts parts = sample_parts("kind", signs());
  for (Index t = 0; t < parts.map.features(); ++t)
    for (Index k = 0; k < 3; ++k) parts.coefficients(t, k) = 0;
  parts.intercepts = {-0.3, -0.3, -0.3};
  const Certificate three = certify(Model(parts), sample_data(60, "kind"), {.delta = 0.9});
  const BoundLine& exact = find(three, "Dubé & Marchand 2023, Theorem 10", "fixed", "exact");
  EXPECT_EQ(exact.error.value(), std::min(1.0, 1.5 * exact.bound));
}

TEST(Certify, SquaresOfUnionsAdd) {
  const FamilyOptions both = sample_family("rw-sign:5+rw-relu/sparse:2:7", 12);
  const Model model(sample_parts("y", both));
  const Data data = sample_data(60, "y");
  const Certificate result = certify(model, data);
  double square = 0;
  for (const FeaturePart& part : model.parts().map.parts()) {
    ModelParts alone = sample_parts("y", both);
    alone.map = FeatureMap::from_parts({part}, alone.map.inputs());
    alone.coefficients = Matrix(alone.map.features(), 1);
    square += std::pow(*certify(Model(alone), data).constants.theta, 2);
  }
  EXPECT_NEAR(*result.constants.theta, std::sqrt(square), 1e-12);
  EXPECT_FALSE(find(result, "Dubé & Marchand 2023, Theorem 10", "learned", "exact").inapplicable);
  EXPECT_TRUE(find(result, "Anonymous 2026, Theorem 6.8", "fixed", "exact").inapplicable);
}

// The same numbers whether the rows come in one piece or in many.
TEST(Certify, BlocksDoNotMatter) {
  const Model model(sample_parts("y", sample_family("rw-stumps:5+rw-relu/sparse:2:7", 12)));
  EXPECT_EQ(certify(model, sample_data(60, "y")).to_json(), certify(model, sample_data(60, "y", "", 7)).to_json());
  EXPECT_EQ(certify(model, sample_data(60, "y"), {}, {.threads = 3}).to_json(),
            certify(model, sample_data(60, "y"), {}, {.threads = 1}).to_json());
}

// f = Σ b_t φ_t is bounded by ‖b‖ sup‖φ(x)‖, which is τ‖α‖ for p uniform on the centres.
TEST(Certify, PlainFeaturesHaveTheorem65) {
  const Model model(sample_parts("y", sample_family("rks-relu", 9)));
  const Data data = sample_data(60, "y");
  const Certificate result = certify(model, data);
  double coefficients = 0;
  for (Index t = 0; t < 9; ++t) coefficients += std::pow(model.parts().coefficients(t, 0), 2);
  double largest = 0;
  const auto stream = model.parts().encoder.open(data, false);
  for (Block block; stream->next(block, 100);) {
    Matrix phi(9, block.rows());
    model.parts().map.values(block.x, phi);
    for (Index i = 0; i < block.rows(); ++i) {
      double sum = 0;
      for (Index t = 0; t < 9; ++t) sum += phi(t, i) * phi(t, i);
      largest = std::max(largest, sum);
    }
  }
  EXPECT_NEAR(result.constants.tau * (*result.l2p_norms)[0], std::sqrt(coefficients * largest), 1e-12);
  EXPECT_FALSE(find(result, "Anonymous 2026, Theorem 6.5", "learned", "tau").inapplicable);
  EXPECT_NE(find(result, "Anonymous 2026, Theorem 6.2", "fixed", "exact").inapplicable->find("plain"),
            std::string::npos);
  expect_error([&] { certify(model, data, {.bound = Theorem::theorem_10}); }, ErrorKind::option,
               {"bound", "Dubé & Marchand 2023, Theorem 10 does not apply", "leave it out"});
  const Model mixed(sample_parts("y", sample_family("rks-relu:4+rw-sign:5", 9)));
  EXPECT_FALSE(certify(mixed, data).best);
}

TEST(Certify, FamiliesWithoutAPapersBoundHaveTheExactOne) {
  const Certificate result = certify(Model(sample_parts("y", sample_family("rw-cos", 9))), sample_data(60, "y"));
  EXPECT_TRUE(find(result, "Anonymous 2026, Theorem 6.2", "fixed", "paper").inapplicable);
  EXPECT_FALSE(find(result, "Anonymous 2026, Theorem 6.2", "fixed", "exact").inapplicable);
  EXPECT_TRUE(result.best);
}

TEST(Certify, Theorem67IsForSfgd) {
  const Data data = sample_data(60, "yes");
  const Model model = fit({data, signs(40), {.method = FunctionalGradientOptions{.radius = 2}, .lambda = 0.05}});
  const Certificate result = certify(model, data, {.bound = Theorem::theorem_6_7});
  const BoundLine& line = find(result, "Anonymous 2026, Theorem 6.7", "fixed", "exact");
  const double reach = *result.constants.theta * 2 + std::abs(model.parts().intercepts[0]);
  const double rho = 2 * (reach + 1);
  const double kappa = *result.constants.kappa;
  const double expected = 2 * rho * reach / std::sqrt(60) + 0.05 * 4 + 8 * rho * rho / (0.05 * 60) +
                          std::pow(rho * kappa + 0.2, 2) / (2 * 0.05 * 40) * (1 + std::log(40));
  EXPECT_EQ(line.claim, "excess");
  EXPECT_NEAR(line.bound, expected, 1e-10 * expected);
  EXPECT_FALSE(result.best);
  EXPECT_NE(line.assumes.find("expectation"), std::string::npos);
}

TEST(Certify, Theorem68IsForMinimisersInTheRkhs) {
  const Data data = sample_data(60, "yes");
  const Certificate result = certify(fit({data, signs(40), {.lambda = 0.05}}), data);
  EXPECT_FALSE(find(result, "Anonymous 2026, Theorem 6.8", "fixed", "exact").inapplicable);
  EXPECT_GE(find(result, "Anonymous 2026, Theorem 6.8", "fixed", "exact").features_needed.value(), 1);
  EXPECT_TRUE(find(result, "Anonymous 2026, Theorem 6.3", "fixed", "exact").inapplicable);  // 40 features are no ball
  for (const FitOptions& options :
       {FitOptions{.method = LeastSquaresOptions{.regularizer = Regularizer::ridge}, .lambda = 0.05},
        FitOptions{.method = LassoOptions{}, .lambda = 0.05},
        FitOptions{.lambda = 0.05, .class_weights = ClassWeighting::balanced}})
    expect_error(
        [&] {
          certify(fit({data, signs(40), options}), data, {.bound = Theorem::theorem_6_8});
        },
        ErrorKind::option, {"bound", "Theorem 6.8 does not apply"});
  ModelParts pruned = fit({data, signs(40), {.lambda = 0.05}}).parts();
  pruned.map = pruned.map.subset({0, 1, 2});
  pruned.coefficients = Matrix(3, 1);
  expect_error([&] { certify(Model(pruned), data, {.bound = Theorem::theorem_6_8}); }, ErrorKind::option,
               {"selected from those drawn"});
}

TEST(Certify, LossesAreThoseOfTheFit) {
  const Data data = sample_data(60, "yes");
  EXPECT_EQ(certify(fit({data, signs(20), {.method = LogisticOptions{}, .lambda = 0.1}}), data).loss, "logistic");
  EXPECT_EQ(
      certify(fit({data, signs(20), {.method = FunctionalGradientOptions{.loss = DescentLoss::hinge}, .lambda = 0.1}}),
              data)
          .loss,
      "hinge");
}

TEST(Certify, BadInput) {
  const Model model(sample_parts("y", signs()));
  const Data data = sample_data(60, "y");
  for (const double delta : {0.0, 1.0, -0.1, 2.0, std::nan("")})
    expect_error([&] { certify(model, data, {.delta = delta}); }, ErrorKind::option, {"delta"});
  expect_error([&] { certify(model, data, {.bound = Theorem::theorem_8}); }, ErrorKind::option, {"bound", "original"});
  expect_error([&] { certify(model, sample_data(60, "y", "w")); }, ErrorKind::option, {"weights", "leave it out"});
  expect_error([&] { certify(model, sample_data(0, "y")); }, ErrorKind::data, {"no row"});
  std::vector<TableColumn> unlabelled = sample_table(60);
  unlabelled.erase(unlabelled.begin() + 3);
  expect_error([&] { certify(model, memory_table(unlabelled, "")); }, ErrorKind::data, {"'y'"});
}

TEST(Certify, ForeignRowsAreNoted) {
  const Data data = sample_data(60, "y");
  const Model model = fit({data, signs(20), {.lambda = 0.1}});
  EXPECT_TRUE(certify(model, data).notes.empty());
  const Certificate fewer = certify(model, sample_data(40, "y"));
  ASSERT_EQ(fewer.notes.size(), 1u);
  EXPECT_NE(fewer.notes[0].find("60 rows"), std::string::npos);
  std::vector<TableColumn> table = sample_table(60);
  for (double& y : std::get<std::vector<double>>(table[3].cells)) y = -y;
  EXPECT_EQ(certify(model, memory_table(table, "y")).notes.size(), 1u);
}

TEST(Certify, OneRowAndConstantTargetsHaveNumbers) {
  std::vector<TableColumn> table = sample_table(20);
  for (double& y : std::get<std::vector<double>>(table[3].cells)) y = 0;
  const Certificate flat = certify(Model(sample_parts("y", signs())), memory_table(table, "y"));
  EXPECT_EQ(flat.trivial_loss, 0);
  EXPECT_EQ(flat.target_radii[0], 0);
  for (const BoundLine& line : flat.lines) {
    if (line.inapplicable) continue;
    EXPECT_TRUE(line.vacuous) << line.name;
    EXPECT_TRUE(std::isfinite(line.bound)) << line.name;
  }
  EXPECT_NO_THROW(nlohmann::json::parse(flat.to_json()));
  const Certificate one = certify(Model(sample_parts("y", signs(1))), sample_data(1, "y"));
  EXPECT_TRUE(std::isfinite(one.lines[*one.best].bound));
}

TEST(Certify, ASumOfMembersIsAnErrorWithARemedy) {
  const Model sum(member_parts("y"));
  const Model single(sample_parts("y", signs()));
  const Data data = sample_data(60, "y");
  expect_error([&] { certify(sum, data); }, ErrorKind::option, {"members", "kernel-ridge"});
  expect_error([&] { certify(single, data, {}, {}, &sum); }, ErrorKind::option, {"members"});
}

}  // namespace

}  // namespace weft::testing
