#include <weft/load.hpp>
#include <weft/model.hpp>

#include <gtest/gtest.h>

#include <limits>

#include "core/at.hpp"
#include "core/json_text.hpp"
#include "data/expect_error.hpp"
#include "model/member_scores.hpp"
#include "model/predictor.hpp"
#include "model/sample_members.hpp"

namespace weft::testing {

using namespace detail;
namespace {

// One row at a time, by the definition.
std::vector<double> naive_scores(const ModelParts& parts, const Matrix& x) {
  std::vector<double> scores;
  for (Index i = 0; i < x.cols(); ++i) {
    std::vector<double> sum = parts.intercepts;
    for (const Member& member : parts.members) {
      const Matrix own = member.transform.apply(x.view().col_range(i, 1));
      Index node = member.splits.empty() ? -1 : 0;
      while (node >= 0) {
        const Split& split = member.splits[at(node)];
        node = own(split.input, 0) <= split.threshold ? split.below : split.above;
      }
      const Leaf& leaf = member.leaves[at(-1 - node)];
      Matrix phi(leaf.map.features(), 1);
      leaf.map.smoothings(own, phi);
      for (std::size_t k = 0; k < sum.size(); ++k) {
        double score = leaf.intercepts[k];
        for (Index t = 0; t < phi.rows(); ++t) score += leaf.coefficients(t, static_cast<Index>(k)) * phi(t, 0);
        sum[k] += member.weight * score;
      }
    }
    scores.insert(scores.end(), sum.begin(), sum.end());
  }
  return scores;
}

TEST(Member, PredictionsAreTheSumOfTheMembers) {
  for (const char* target : {"y", "y,z", "yes", "kind"}) {
    const ModelParts parts = member_parts(target);
    const Data data = sample_data(Predictor::kBlockRows + 700, "");
    const std::vector<double> truth = naive_scores(parts, load_inputs(parts.encoder, data));
    const AllPredictions all = predict_all(Model(parts), data);
    ASSERT_EQ(all.scores.size(), truth.size()) << target;
    for (std::size_t i = 0; i < truth.size(); ++i)
      ASSERT_NEAR(all.scores[i], truth[i], 1e-12 * (1 + std::abs(truth[i]))) << target << " " << i;
  }
}

TEST(Member, EveryLeafIsReached) {
  const ModelParts parts = member_parts("y");
  const Matrix x = load_inputs(parts.encoder, sample_data(500, ""));
  for (const Member& member : parts.members) {
    const Matrix own = member.transform.apply(x);
    std::vector<Index> rows(member.leaves.size());
    for (Index i = 0; i < own.cols(); ++i) ++rows[at(member.leaf_of(own, i))];
    for (const Index count : rows) EXPECT_GT(count, 0) << member.name;
  }
}

TEST(Member, ThreadsAndPiecesChangeNoBit) {
  const Index rows = Predictor::kBlockRows + 1000;
  for (const char* target : {"y", "kind"}) {
    ModelParts parts = member_parts(target);
    if (parts.encoder.target().task == Task::multiclass) parts.calibration = {{-2, -1, -0.5}, {0.1, 0, -0.2}};
    const Model model(std::move(parts));
    const auto whole = predict_all(model, sample_data(rows, target), {.with_targets = true}, {.threads = 1});
    for (const Index chunk : {Index{97}, Index{5000}})
      for (const int threads : {1, 2, 5})
        EXPECT_TRUE(whole == predict_all(model, sample_data(rows, target, "", chunk), {.with_targets = true},
                                         {.threads = threads}))
            << target << " " << chunk << " " << threads;
  }
}

TEST(Member, ScoresOfRowsInMemoryAreThoseOfPredictions) {
  const ModelParts parts = member_parts("y,z");
  const Data data = sample_data(Predictor::kBlockRows + 300, "");
  const Matrix x = load_inputs(parts.encoder, data);
  Matrix scores(x.cols(), 2);
  for (Index i = 0; i < scores.rows(); ++i)
    for (Index k = 0; k < 2; ++k) scores(i, k) = parts.intercepts[at(k)];
  add_member_scores(parts.members, x, scores, {.threads = 2});
  const AllPredictions all = predict_all(Model(parts), data);
  EXPECT_EQ(std::vector<double>(scores.data(), scores.data() + scores.rows() * 2), all.scores);
}

TEST(Member, ATreeWithOneLeafIsTheGlobalModel) {
  const ModelParts kernel = kernel_parts("kind", "laplace");
  ModelParts parts = kernel;
  parts.members = {{"only", 1, {}, {}, {{kernel.map, kernel.coefficients, std::vector<double>(3)}}}};
  parts.map = FeatureMap::from_parts({}, parts.encoder.inputs());
  parts.coefficients = {};
  const Data data = sample_data(1000, "");
  const AllPredictions one = predict_all(Model(parts), data), other = predict_all(Model(kernel), data);
  EXPECT_EQ(one.values, other.values);
  for (std::size_t i = 0; i < one.scores.size(); ++i) EXPECT_NEAR(one.scores[i], other.scores[i], 1e-13);
  EXPECT_EQ(Model(parts).features(), Model(kernel).features());
}

TEST(Member, IsDescribedInAFewWords) {
  const ModelParts parts = member_parts("y");
  const LeafSummary first = parts.members[0].summary();
  EXPECT_EQ(first.kinds, (std::vector<std::string>{"laplace"}));
  EXPECT_EQ(first.leaves, 4);
  EXPECT_EQ(first.features, 29);
  EXPECT_EQ(first.bandwidths, (std::vector<double>{0.8, 2.5}));
  EXPECT_TRUE(parts.members[3].summary().bandwidths.empty());
  const Json json = Json::parse(Model(parts).to_json());
  EXPECT_EQ(json["features"], 29 + 30 + 6 + 17);
  EXPECT_EQ(json["members"].size(), 4U);
  EXPECT_EQ(json["members"][0]["weight"], 0.5);
  EXPECT_EQ(json["members"][1]["bandwidths"], Json::array({0.8}));
  EXPECT_EQ(json["members"][2]["inputs"], 2);
  EXPECT_TRUE(json["families"].empty());
}

TEST(Member, RelevanceIsSortedAndNamesVariables) {
  const Model model(member_parts("y"));
  const std::vector<Relevance> relevance = model.relevance();
  ASSERT_EQ(relevance.size(), 3U);
  EXPECT_EQ(relevance[0].variable, "a");
  EXPECT_EQ(relevance[1].variable, "city");
  EXPECT_EQ(relevance[1].value, 1.0 / 3);
  EXPECT_EQ(relevance[2].value, 0);
  EXPECT_EQ(Json::parse(model.to_json())["relevance"][2]["variable"], "b");
  EXPECT_TRUE(Model(sample_parts("y")).relevance().empty());
  EXPECT_FALSE(Json::parse(Model(sample_parts("y")).to_json()).contains("relevance"));
}

TEST(Member, ASumHasNoNorm) {
  const Model model(member_parts("y"));
  EXPECT_FALSE(model.norms());
  EXPECT_FALSE(model.l2p_norms());
  expect_error([&] { model.rkhs_norms(); }, ErrorKind::option, {"members"});
  expect_error([&] { predict_all(model, sample_data(5, ""), {.with_std = true}); }, ErrorKind::option, {"std"});
}

TEST(Member, RefusesWhatDoesNotFit) {
  const auto refuse = [](const std::string& word, auto&& spoil) {
    ModelParts parts = member_parts("y");
    spoil(parts);
    expect_error([&] { Model model(parts); }, ErrorKind::model, {"inconsistent", word, "train the model again"});
  };
  const double infinite = std::numeric_limits<double>::infinity();
  refuse("split or leaf", [](ModelParts& p) { p.members[0].splits[1].above = 3; });
  refuse("split or leaf", [](ModelParts& p) { p.members[0].splits[1].above = std::numeric_limits<Index>::max(); });
  refuse("split or leaf", [](ModelParts& p) { p.members[0].splits[1].above = std::numeric_limits<Index>::min(); });
  refuse("two parents", [](ModelParts& p) { p.members[0].splits[1].above = 0; });
  refuse("two parents", [](ModelParts& p) { p.members[0].splits[2].above = 2; });
  refuse("two parents", [](ModelParts& p) { p.members[0].splits[0].below = -1; });
  refuse("no row reaches", [](ModelParts& p) { p.members[0].splits.clear(); });
  refuse("no row reaches", [](ModelParts& p) { p.members[0].splits.push_back({0, 0, 3, 3}); });
  refuse("does not exist", [](ModelParts& p) { p.members[0].leaves.clear(); });
  refuse("does not exist", [](ModelParts& p) { p.members[2].leaves.clear(); });
  refuse("input", [](ModelParts& p) { p.members[0].splits[0].input = 3; });
  refuse("input", [](ModelParts& p) { p.members[0].splits[0].input = -1; });
  refuse("threshold", [&](ModelParts& p) { p.members[0].splits[0].threshold = infinite; });
  refuse("weight", [&](ModelParts& p) { p.members[0].weight = -infinite; });
  refuse("intercepts", [](ModelParts& p) { p.members[0].leaves[3].intercepts.clear(); });
  refuse("coefficients", [](ModelParts& p) { p.members[0].leaves[0].coefficients = Matrix(11, 1); });
  refuse("coefficients", [](ModelParts& p) { p.members[0].leaves[0].coefficients = Matrix(12, 2); });
  refuse("inputs", [](ModelParts& p) { p.members[0].leaves[0] = p.members[2].leaves[0]; });
  refuse("column", [](ModelParts& p) { p.members[0].transform.columns[2] = 100; });
  refuse("beside members", [](ModelParts& p) { p.map = sample_parts("y").map; });
  refuse("relevance", [](ModelParts& p) { p.relevance.pop_back(); });
  refuse("relevance", [](ModelParts& p) { p.relevance[0] = std::numeric_limits<double>::quiet_NaN(); });
  refuse("variance", [](ModelParts& p) { p.variance_factor = Matrix(2, 2); });
}

}  // namespace
}  // namespace weft::testing
