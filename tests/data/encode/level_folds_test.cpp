// Effects of categories where rows have a rule: none contains a target of the row's own group, or a later one.
#include <weft/level_statistics.hpp>

#include "core/at.hpp"
#include "data/encode/level_folds.hpp"
#include "data/encode_all.hpp"
#include "data/expect_error.hpp"

#include <gtest/gtest.h>

namespace weft {

using namespace detail;
namespace {

using namespace testing;

constexpr Index kRuleRows = 1200;
constexpr Index kPatients = 300;  // four visits each
constexpr Index kStreets = 150;   // of two patients each; the second column of many categories

Data visits(const RowRuleOptions& rule, bool two_columns) {
  const Random random(4, RandomStream::generator);
  Texts home, street;
  Numbers patient, day, y;
  for (Index i = 0; i < kRuleRows; ++i) {
    const Index who = i % kPatients;
    home.push_back("home " + std::to_string(who));  // one per patient
    street.push_back("street " + std::to_string(who % kStreets));
    patient.push_back(static_cast<double>(who));
    day.push_back(static_cast<double>((i * 7) % kRuleRows));
    y.push_back(3 * random.normal(static_cast<std::uint64_t>(who), 0) +
                3 * random.normal(static_cast<std::uint64_t>(who % kStreets), 2) +
                random.normal(static_cast<std::uint64_t>(i), 1));
  }
  std::vector<TableColumn> table = {{"home", home}, {"patient", patient}, {"day", day}, {"y", y}};
  if (two_columns) table.push_back({"street", street});
  const Data plain = memory_table(table, "y");
  ReadOptions options = plain.options();
  options.rule = rule;
  return {plain.name(), options, [plain] { return plain.open(); }};
}

/// Input of that name, of every training row.
std::vector<double> training_input(const Encoder& encoder, const Data& data, const std::string& name) {
  const Texts& names = encoder.inputs().names;
  const Index input = std::find(names.begin(), names.end(), name) - names.begin();
  std::vector<double> result;
  const auto reader = encoder.open_training(data, true);
  for (Block block; reader->next(block, 500);)
    for (Index i = 0; i < block.rows(); ++i) result.push_back(block.x(input, i));
  return result;
}

double sum_of_squares(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

TEST(LevelFolds, NoTargetOfTheGroupIsInTheEffectsThatEncodeIt) {
  for (const bool two : {false, true}) {
    const Data grouped = visits({.group = "patient"}, two);
    // Homes are those of one patient: without it there is nothing to estimate their effects from.
    const Encoder encoder = Encoder::fit(grouped, {});
    EXPECT_EQ(sum_of_squares(training_input(encoder, grouped, "home (effect)")), 0) << two;
    const Data plain = visits({}, two);
    EXPECT_GT(sum_of_squares(training_input(Encoder::fit(plain, {}), plain, "home (effect)")), 10) << two;
    if (two) {
      EXPECT_GT(sum_of_squares(training_input(encoder, grouped, "street (effect)")), 0.1) << "of the other patient";
    }
  }
}

TEST(LevelFolds, EffectsThatEncodeARowComeFromTheTimesBefore) {
  for (const bool two : {false, true}) {
    const Data data = visits({.time = "day"}, two);
    const std::vector<double> effects = training_input(Encoder::fit(data, {}), data, "home (effect)");
    const auto day = [](Index i) { return (i * 7) % kRuleRows; };
    Index known = 0;
    for (Index i = 0; i < kRuleRows; ++i) {
      const Index part = day(i) / (kRuleRows / 5);
      bool before = false;
      for (Index j = i % kPatients; j < kRuleRows; j += kPatients) before |= day(j) / (kRuleRows / 5) < part;
      EXPECT_EQ(effects[at(i)] != 0, before) << i << " " << two;
      known += before ? 1 : 0;
    }
    EXPECT_GT(known, 300);
  }
}

TEST(LevelFolds, StatisticsComeBackFromBytesAndPartsAreRefused) {
  for (const RowRuleOptions& rule : {RowRuleOptions{.group = "patient"}, RowRuleOptions{.time = "day"}}) {
    const Data data = visits(rule, true);
    const Encoder inputs = Encoder::fit(EncoderStatistics::of(data, {}));
    const LevelStatistics statistics = LevelStatistics::of(inputs, data);
    EXPECT_EQ(inputs.with_effects(LevelStatistics::from_bytes(statistics.to_bytes())).to_json(),
              inputs.with_effects(statistics).to_json());
    expect_error([&] { LevelStatistics::of(inputs, data.rows(600, 1200), {}, 600); }, ErrorKind::option,
                 {rule.name(), "all rows at once"});
  }
}

}  // namespace
}  // namespace weft
