// Effects of categories against the dense equations that they solve.
#include <weft/level_statistics.hpp>

#include "core/at.hpp"
#include "data/encode/encoder_state.hpp"
#include "data/encode/level_effects.hpp"
#include "data/encode_all.hpp"
#include "data/expect_error.hpp"
#include "dense_algebra.hpp"

namespace weft {
namespace {

using namespace testing;

constexpr Index kRows = 900;

struct LevelTable {
  Index shops = 120;
  Index towns = 0;  ///< of a second column with many levels
  Index rows = kRows;
  double noise = 0.3;
  bool weights = false;
  Numbers y = {};

  Index shop(Index i) const { return Random(5, RandomStream::fit).below(shops, static_cast<std::uint64_t>(i), 1); }
  Index town(Index i) const { return Random(5, RandomStream::fit).below(towns, static_cast<std::uint64_t>(i), 2); }
  double target(Index i) const {
    const Random random(5, RandomStream::fit);
    const auto r = static_cast<std::uint64_t>(i);
    double sum = 100 + 2 * random.normal(r, 3) + random.normal(static_cast<std::uint64_t>(shop(i)), 4);
    if (towns > 0) sum += random.normal(static_cast<std::uint64_t>(town(i)), 5);
    return sum + noise * random.normal(r, 6);
  }
  double weight(Index i) const {
    return weights ? 0.5 + Random(5, RandomStream::fit).uniform(static_cast<std::uint64_t>(i), 7) : 1;
  }

  Data data() const {
    const Random random(5, RandomStream::fit);
    Numbers x, other, target_cells, w;
    Texts shop_cells, town_cells;
    for (Index i = 0; i < rows; ++i) {
      const auto r = static_cast<std::uint64_t>(i);
      x.push_back(random.normal(r, 3));
      other.push_back(random.normal(r, 8));
      shop_cells.push_back("s" + std::to_string(shop(i)));
      if (towns > 0) town_cells.push_back("t" + std::to_string(town(i)));
      target_cells.push_back(y.empty() ? target(i) : y[at(i)]);
      w.push_back(weight(i));
    }
    std::vector<TableColumn> table = {{"x", x}, {"shop", shop_cells}, {"other", other}};
    if (towns > 0) table.push_back({"town", town_cells});
    table.push_back({"y", target_cells});
    if (weights) table.push_back({"w", w});
    return memory_table(table, "y", weights ? "w" : "", 130);
  }
};

const EncodeOptions kStandard{.scale = Scaling::standard};

Encoder without_effects(const Data& data, const EncodeOptions& options = kStandard) {
  return Encoder::fit(EncoderStatistics::of(data, options));
}

/// Effects of all variables, one after the other, by ridge regression on (1, x, other, indicators of levels).
Eigen::VectorXd dense_effects(const LevelTable& table, const Encoder& encoder, const std::vector<double>& ratios,
                              Index left_out) {
  const auto reader = encoder.open(table.data(), true);
  Block block;
  reader->next(block, table.rows);
  std::vector<Index> levels;
  for (const Encoder::LevelCount& count : encoder.many_levels()) levels.push_back(count.levels);
  Index size = 3;
  for (const Index count : levels) size += count;
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(size, size);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(size);
  double all = 0;
  for (Index i = 0; i < table.rows; ++i) {
    all += table.weight(i);
    if (level_fold(i) == left_out) continue;
    Eigen::VectorXd z = Eigen::VectorXd::Zero(size);
    z(0) = 1;
    z(1) = block.x(0, i);
    for (Index j = 0; j < encoder.inputs().columns(); ++j)
      if (encoder.inputs().names[at(j)] == "other") z(2) = block.x(j, i);
    Index first = 3;
    for (std::size_t c = 0; c < levels.size(); first += levels[c++])
      z(first + static_cast<Index>(block.levels(static_cast<Index>(c), i))) = 1;
    a += table.weight(i) * z * z.transpose();
    b += table.weight(i) * z * block.y(0, i);
  }
  const Eigen::MatrixXd sums = a;
  for (Index j = 1; j < 3; ++j) a(j, j) += 1e-4 * (sums(j, j) - sums(0, j) * sums(0, j) / sums(0, 0));
  Index first = 3;
  for (std::size_t c = 0; c < levels.size(); first += levels[c++])
    for (Index level = 0; level < levels[c]; ++level)
      a(first + level, first + level) += ratios[c] * all / static_cast<double>(table.rows);
  return solve_symmetric(a, b).col(0).tail(size - 3);
}

void expect_dense_effects(const LevelTable& table, double tolerance) {
  const Data data = table.data();
  const Encoder encoder = without_effects(data);
  const LevelEffects found = level_effects(LevelStatistics::of(encoder, data).state(), {});
  std::vector<double> ratios;
  for (const LevelEffects::Variable& variable : found.variables) ratios.push_back(variable.ratio);
  for (Index fold = -1; fold < kLevelFolds; ++fold) {
    const Eigen::VectorXd expected = dense_effects(table, encoder, ratios, fold);
    Index next = 0;
    for (const LevelEffects::Variable& variable : found.variables)
      for (Index level = 0; level < variable.effects.cols(); ++level)
        ASSERT_NEAR(fold < 0 ? variable.effects(0, level) : variable.by_fold(fold, level), expected(next++), tolerance);
  }
}

TEST(LevelStatistics, EffectsSolveTheEquationsOfRidgeRegression) {
  expect_dense_effects({}, 1e-6);
  expect_dense_effects({.weights = true}, 1e-6);
  expect_dense_effects({.shops = 400, .noise = 1}, 1e-6);
}

TEST(LevelStatistics, EffectsOfTwoColumnsAreEstimatedTogether) {
  expect_dense_effects({.shops = 60, .towns = 70}, 1e-4);
}

TEST(LevelStatistics, TheRatioIsThatOfNoiseToEffects) {
  for (const double noise : {1.0, 2.0}) {
    const LevelTable table{.shops = 300, .rows = 3000, .noise = noise};
    const Data data = table.data();
    const double ratio = level_effects(LevelStatistics::of(without_effects(data), data).state(), {}).variables[0].ratio;
    EXPECT_GT(ratio, noise * noise / 2.5) << "effects have variance 1";
    EXPECT_LT(ratio, noise * noise * 2.5);
  }
}

TEST(LevelStatistics, LevelsWithoutEffectsAreShrunkToNothing) {
  LevelTable table{.shops = 450};
  const Random random(9, RandomStream::fit);
  for (Index i = 0; i < kRows; ++i) table.y.push_back(random.normal(static_cast<std::uint64_t>(i)));
  const Data data = table.data();
  const LevelEffects found = level_effects(LevelStatistics::of(without_effects(data), data).state(), {});
  const Matrix& effects = found.variables[0].effects;
  for (Index level = 0; level < effects.cols(); ++level) EXPECT_LT(std::abs(effects(0, level)), 0.3);
  EXPECT_GT(found.variables[0].ratio, 10);
}

TEST(LevelStatistics, PartsMergeToTheWholeAndComeBackFromBytes) {
  for (const Index towns : {0, 55}) {
    const LevelTable table{.shops = 80, .towns = towns, .weights = true};
    const Data data = table.data();
    const Encoder encoder = without_effects(data);
    const LevelStatistics whole = LevelStatistics::of(encoder, data);
    LevelStatistics parts = LevelStatistics::of(encoder, data.rows(0, 333));
    parts.merge(LevelStatistics::from_bytes(LevelStatistics::of(encoder, data.rows(333, 700), {}, 333).to_bytes()));
    parts = LevelStatistics::from_bytes(parts.to_bytes());
    parts.merge(LevelStatistics::of(encoder, data.rows(700, kRows), {}, 700));
    EXPECT_EQ(parts.rows(), kRows);
    EXPECT_EQ(LevelStatistics::from_bytes(whole.to_bytes()).to_bytes(), whole.to_bytes());
    const LevelEffects a = level_effects(whole.state(), {});
    const LevelEffects b = level_effects(parts.state(), {});
    for (std::size_t c = 0; c < a.variables.size(); ++c) {
      EXPECT_NEAR(a.variables[c].ratio, b.variables[c].ratio, 1e-6 * a.variables[c].ratio);
      for (Index level = 0; level < a.variables[c].effects.cols(); ++level)
        ASSERT_NEAR(a.variables[c].effects(0, level), b.variables[c].effects(0, level), 1e-9);
    }
  }
}

TEST(LevelStatistics, RefuseWhatDoesNotFit) {
  const Data data = LevelTable{}.data();
  const Encoder encoder = without_effects(data);
  LevelStatistics first = LevelStatistics::of(encoder, data.rows(0, 100));
  expect_error([&] { first.merge(LevelStatistics::of(encoder, data.rows(200, 300), {}, 200)); }, ErrorKind::data,
               {"do not follow"});
  const Data other = LevelTable{.shops = 70}.data();
  expect_error([&] { first.merge(LevelStatistics::of(without_effects(other), other, {}, 100)); }, ErrorKind::data,
               {"different encoders"});
  expect_error([&] { LevelStatistics::of(Encoder::from_json(encoder.to_json()), data); }, ErrorKind::data,
               {"not fitted on statistics"});
  const std::string bytes = first.to_bytes();
  for (std::size_t i = 0; i < bytes.size(); i += 997) {
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ 1);
    EXPECT_THROW(LevelStatistics::from_bytes(flipped), Error) << i;
  }
  EXPECT_THROW(LevelStatistics::from_bytes(bytes.substr(0, bytes.size() / 2)), Error);
  EXPECT_THROW(LevelStatistics::from_bytes(EncoderStatistics::of(data, kStandard).to_bytes()), Error);
}

}  // namespace
}  // namespace weft
