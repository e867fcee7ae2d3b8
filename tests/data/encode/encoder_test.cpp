#include <weft/encoder.hpp>

#include <gtest/gtest.h>

#include <cmath>

#include "data/encode_all.hpp"
#include "data/expect_error.hpp"
#include "data/memory_table.hpp"

namespace weft {

using namespace detail;
namespace {

using testing::encode;
using testing::Encoded;
using testing::expect_error;
using testing::kMissing;
using testing::memory_table;
using testing::mixed_table;
using testing::Numbers;
using testing::row;
using testing::same;
using testing::TableColumn;
using testing::Texts;
using testing::wide_table;

TEST(Encoder, LaysOutVariablesAsDeclared) {
  const Data data = memory_table({{"age", Numbers{1, 2, 3, 6}},
                                  {"y", Numbers{1, 2, 4, 3}},
                                  {"sex", Texts{"M", "F", "F", "F"}},
                                  {"w", Numbers{1, 1, 2, 0}}},
                                 "y", "w");
  const Encoder encoder = Encoder::fit(data, {.scale = Scaling::none});
  EXPECT_EQ(encoder.inputs().names, (Texts{"age", "sex=F", "sex=M", "(bias)"}));
  EXPECT_EQ(encoder.inputs().variable_of, (std::vector<Index>{0, 1, 1, -1}));
  EXPECT_EQ(encoder.inputs().variables(), 2);
  EXPECT_TRUE(encoder.inputs().bias);
  EXPECT_EQ(encoder.rows_seen(), 4);
  EXPECT_EQ(encoder.options().scale, Scaling::none);

  const Encoded all = encode(encoder, data, true);
  EXPECT_EQ(row(all.x, 0), (Numbers{1, 2, 3, 6}));
  EXPECT_EQ(row(all.x, 1), (Numbers{0, 1, 1, 1}));
  EXPECT_EQ(row(all.x, 2), (Numbers{1, 0, 0, 0}));
  EXPECT_EQ(row(all.x, 3), (Numbers{1, 1, 1, 1}));
  EXPECT_EQ(all.y, (Numbers{1, 2, 4, 3}));
  EXPECT_EQ(all.weights, (Numbers{1, 1, 2, 0}));
  EXPECT_EQ(Encoder::fit(data, {.bias = false}).inputs().names, (Texts{"age", "sex=F", "sex=M"}));
}

TEST(Encoder, ScalesByHand) {
  const Data data =
      memory_table({{"a", Numbers{1, 3, 3, 5}}, {"c", Numbers{7, 7, 7, 7}}, {"t", Texts{"u", "u", "u", "v"}}});
  const Encoded standard = encode(Encoder::fit(data, {.scale = Scaling::standard}), data);
  const double half = std::sqrt(0.5);
  EXPECT_NEAR(standard.x(0, 0), -2 * half, 1e-15);
  EXPECT_NEAR(standard.x(0, 3), 2 * half, 1e-15);
  EXPECT_EQ(row(standard.x, 1), (Numbers{0, 0, 0, 0}));
  EXPECT_NEAR(standard.x(2, 0), 0.25 / std::sqrt(3.0 / 16), 1e-15);
  EXPECT_NEAR(standard.x(2, 3), -0.75 / std::sqrt(3.0 / 16), 1e-15);
  EXPECT_EQ(row(standard.x, 4), (Numbers{1, 1, 1, 1}));
  const Encoded minmax = encode(Encoder::fit(data, {.scale = Scaling::minmax}), data);
  EXPECT_EQ(row(minmax.x, 0), (Numbers{-1, 0, 0, 1}));
  EXPECT_EQ(row(minmax.x, 1), (Numbers{0, 0, 0, 0}));
  EXPECT_EQ(row(minmax.x, 3), (Numbers{-1, -1, -1, 1}));
}

TEST(Encoder, StandardisedColumnsHaveMeanZeroAndVarianceOne) {
  const Data data = memory_table(mixed_table(10000), "y", "w");
  const Encoder encoder = Encoder::fit(data, {.scale = Scaling::standard});
  const Encoded all = encode(encoder, data);
  for (Index c = 0; c + 1 < all.x.rows(); ++c) {
    long double mean = 0;
    long double square = 0;
    for (const double z : row(all.x, c)) mean += z / 10000.0L;
    for (const double z : row(all.x, c)) square += (z - mean) * (z - mean) / 10000.0L;
    EXPECT_NEAR(static_cast<double>(mean), 0, 1e-12) << encoder.inputs().names[static_cast<std::size_t>(c)];
    if (encoder.inputs().names[static_cast<std::size_t>(c)] != "constant") {
      EXPECT_NEAR(static_cast<double>(square), 1, 1e-12);
    }
  }
}

TEST(Encoder, BothScalingsLieSideBySide) {
  std::vector<TableColumn> table = mixed_table(30000);
  const Data data = memory_table(table, "y", "w");
  const Encoder encoder = Encoder::fit(data, {.scale = Scaling::both});
  const Encoded both = encode(encoder, data);
  const Encoder by_rank = Encoder::fit(data, {.scale = Scaling::quantile});
  const Encoded ranked = encode(by_rank, data);
  const Encoded standard = encode(Encoder::fit(data, {.scale = Scaling::standard}), data);
  const std::vector<ColumnKind> kinds = encoder.column_kinds();
  ASSERT_EQ(static_cast<Index>(kinds.size()), both.x.rows());
  Index single = -1;
  Index numbers = 0;
  for (Index j = 0; j < both.x.rows(); ++j) {
    const auto c = static_cast<std::size_t>(j);
    const bool second = kinds[c] == ColumnKind::standardised;
    if (!second) ++single;
    const auto s = static_cast<std::size_t>(single);
    EXPECT_EQ(row(both.x, j), row(second ? standard.x : ranked.x, single)) << encoder.inputs().names[c];
    EXPECT_EQ(encoder.inputs().variable_of[c], by_rank.inputs().variable_of[s]);
    EXPECT_EQ(encoder.inputs().names[c], by_rank.inputs().names[s] + (second ? " (standardised)" : ""));
    EXPECT_EQ(second ? ColumnKind::ranked : kinds[c], by_rank.column_kinds()[s]);
    numbers += second ? 1 : 0;
  }
  EXPECT_EQ(both.x.rows(), ranked.x.rows() + numbers);
  EXPECT_GT(numbers, 1);
  EXPECT_EQ(kinds.back(), ColumnKind::bias);
  EXPECT_EQ(encoder.variable_names(), by_rank.variable_names());
}

TEST(Encoder, KindsOfColumnsFollowFromTheScale) {
  const Data data = memory_table({{"a", Numbers{1, 3, 3, 5}}, {"t=u", Texts{"u", "u", "u", "v"}}});
  const auto kinds = [&](Scaling scale) { return Encoder::fit(data, {.scale = scale, .bias = false}).column_kinds(); };
  const ColumnKind category = ColumnKind::one_hot;
  EXPECT_EQ(kinds(Scaling::quantile), (std::vector{ColumnKind::ranked, category, category}));
  EXPECT_EQ(kinds(Scaling::standard), (std::vector{ColumnKind::standardised, category, category}));
  EXPECT_EQ(kinds(Scaling::both), (std::vector{ColumnKind::ranked, ColumnKind::standardised, category, category}));
  EXPECT_EQ(kinds(Scaling::minmax), (std::vector{ColumnKind::number, category, category}));
  EXPECT_EQ(kinds(Scaling::none), (std::vector{ColumnKind::number, category, category}));
  EXPECT_EQ(Encoder::fit(data, {}).variable_names(), (Texts{"a", "t=u"}));
}

TEST(Encoder, BlocksThreadsAndReadersDoNotMatter) {
  const auto table = mixed_table(30000);
  for (const Scaling scale : {Scaling::standard, Scaling::minmax, Scaling::quantile, Scaling::none, Scaling::both}) {
    const Data data = memory_table(table, "y", "w");
    const Encoder encoder = Encoder::fit(data, {.scale = scale}, {.threads = 1});
    const Encoder pieces = Encoder::fit(memory_table(table, "y", "w", 333), {.scale = scale}, {.threads = 3});
    EXPECT_EQ(encoder.to_json(), pieces.to_json()) << name_of(scale);
    const Encoded all = encode(encoder, data, true);
    EXPECT_TRUE(same(all, encode(pieces, memory_table(table, "y", "w", 777), true, 500, 3))) << name_of(scale);
  }
}

TEST(Encoder, ThreadsDoNotMatter) {
  const Data data = memory_table(wide_table(9000), "c7", "");
  for (const Scaling scale : {Scaling::standard, Scaling::quantile}) {
    const Encoder one = Encoder::fit(data, {.scale = scale}, {.threads = 1});
    const Encoder four = Encoder::fit(data, {.scale = scale}, {.threads = 4});
    EXPECT_EQ(one.to_json(), four.to_json()) << name_of(scale);
    EXPECT_TRUE(same(encode(one, data, true, 9000, 1), encode(one, data, true, 9000, 4))) << name_of(scale);
  }
}

TEST(Encoder, ColumnsAreMatchedByName) {
  const auto table = mixed_table(200);
  const Encoder encoder = Encoder::fit(memory_table(table, "y", "w"), {});
  const std::vector<TableColumn> reordered = {table[4], {"extra", Texts(200, "?")}, table[2], table[1], table[0]};
  EXPECT_TRUE(same(encode(encoder, memory_table(table)), encode(encoder, memory_table(reordered))));
  expect_error(
      [&] {
        encoder.open(memory_table({table[0], table[2], table[4]}), false);
      },
      ErrorKind::data, {"table", "'city'", "normal, constant, skewed"});
}

TEST(Encoder, CategoriesKeepTheirMeaningWhateverTheDictionary) {
  const Encoder encoder =
      Encoder::fit(memory_table({{"t", Texts{"a", "b", "c"}}}), {.scale = Scaling::none, .bias = false});
  const Encoded all = encode(encoder, memory_table({{"t", Texts{"c", "b", "c", "a"}}}), false, 1);
  EXPECT_EQ(row(all.x, 0), (Numbers{0, 0, 0, 1}));
  EXPECT_EQ(row(all.x, 1), (Numbers{0, 1, 0, 0}));
  EXPECT_EQ(row(all.x, 2), (Numbers{1, 0, 1, 0}));
}

TEST(Encoder, TextAndNumbersMeetByShortestText) {
  const Encoder categories = Encoder::fit(memory_table({{"t", Texts{"1", "2.5", "many"}}}),
                                          {.scale = Scaling::none, .unseen = UnseenCategories::error});
  const Encoded all = encode(categories, memory_table({{"t", Numbers{2.5, 1}}}));
  EXPECT_EQ(row(all.x, 0), (Numbers{0, 1}));
  EXPECT_EQ(row(all.x, 1), (Numbers{1, 0}));
  expect_error(
      [&] {
        encode(categories, memory_table({{"t", Numbers{1, 3.5}}}));
      },
      ErrorKind::data, {"table:1:0", "'3.5'", "'t'", "unseen ignore"});

  const Encoder numbers = Encoder::fit(memory_table({{"n", Numbers{1, 2, 3}}}), {.scale = Scaling::none});
  expect_error(
      [&] {
        encode(numbers, memory_table({{"n", Texts{"1", "2", "two"}}}));
      },
      ErrorKind::data, {"table:2:0", "'two'", "'n'", "not a number"});
}

TEST(Encoder, MissingCellsAreAnErrorWithPlaceAndRemedy) {
  const Data numbers = memory_table({{"a", Numbers{1, 2}}, {"b", Numbers{1, kMissing}}});
  const EncodeOptions strict{.missing = MissingCells::error};
  expect_error([&] { Encoder::fit(numbers, strict); }, ErrorKind::data,
               {"table:1:1", "'b'", "missing indicate", "missing impute", "drop b"});
  const Data texts = memory_table({{"a", Texts{"u", ""}}});
  expect_error([&] { Encoder::fit(texts, strict); }, ErrorKind::data, {"table:1:0", "'a'", "missing impute", "drop a"});
  const Encoder encoder = Encoder::fit(memory_table({{"a", Numbers{1, 2}}, {"b", Numbers{1, 3}}}), strict);
  expect_error([&] { encode(encoder, numbers); }, ErrorKind::data, {"table:1:1", "'b'", "missing impute"});
}

TEST(Encoder, MissingCellsAreImputed) {
  const Data data =
      memory_table({{"a", Numbers{1, kMissing, 5}}, {"t", Texts{"v", "u", ""}}, {"s", Texts{"p", "p", "o"}}});
  const Encoder encoder = Encoder::fit(data, {.scale = Scaling::none, .missing = MissingCells::impute});
  const Encoded all = encode(encoder, data);
  EXPECT_EQ(row(all.x, 0), (Numbers{1, 3, 5}));
  EXPECT_EQ(row(all.x, 1), (Numbers{0, 1, 1}));  // u and v are equally frequent: the first in order
  const Encoded later = encode(encoder, memory_table({{"a", Numbers{kMissing}}, {"t", Texts{"u"}}, {"s", Texts{""}}}));
  EXPECT_EQ(later.x(0, 0), 3);
  EXPECT_EQ(later.x(4, 0), 1);
  const Encoded scaled =
      encode(Encoder::fit(data, {.scale = Scaling::standard, .missing = MissingCells::impute}), data);
  EXPECT_EQ(row(scaled.x, 0), (Numbers{-1, 0, 1}));
  for (const auto& empty : {TableColumn{"e", Numbers{kMissing, kMissing}}, TableColumn{"e", Texts{"", ""}}})
    expect_error(
        [&] {
          Encoder::fit(memory_table({{"a", Numbers{1, 2}}, empty}), {.missing = MissingCells::impute});
        },
        ErrorKind::data, {"'e'", "every value", "drop e"});
}

TEST(Encoder, InfiniteCellsAreErrors) {
  const Data data = memory_table({{"a", Numbers{1, 2, -INFINITY}}});
  expect_error([&] { Encoder::fit(data, {.missing = MissingCells::impute}); }, ErrorKind::data,
               {"table:2:0", "'a'", "not finite"});
  const Encoder encoder = Encoder::fit(memory_table({{"a", Numbers{1, 2}}}), {});
  expect_error([&] { encode(encoder, data); }, ErrorKind::data, {"table:2:0", "'a'", "not finite"});
}

TEST(Encoder, UnseenCategories) {
  const Data train = memory_table({{"t", Texts{"a", "b", "b"}}});
  const Data later = memory_table({{"t", Texts{"b", "z"}}});
  expect_error([&] { encode(Encoder::fit(train, {.unseen = UnseenCategories::error}), later); }, ErrorKind::data,
               {"table:1:0", "'z'", "'t'", "unseen ignore"});
  const Encoded all = encode(Encoder::fit(train, {.scale = Scaling::none, .unseen = UnseenCategories::ignore}), later);
  EXPECT_EQ(row(all.x, 0), (Numbers{0, 0}));
  EXPECT_EQ(row(all.x, 1), (Numbers{1, 0}));
  // A missing cell is not an unseen category.
  expect_error(
      [&] {
        encode(Encoder::fit(train, {.missing = MissingCells::error}), memory_table({{"t", Texts{""}}}));
      },
      ErrorKind::data, {"table:0:0", "missing"});
}

TEST(Encoder, TheFirstBadCellIsNamedWhateverTheThreads) {
  auto table = wide_table(5000);
  const Encoder encoder = Encoder::fit(memory_table(table), {.missing = MissingCells::error});
  auto& values = std::get<Numbers>(table[3].cells);
  values[1999] = values[4000] = kMissing;
  for (int repeat = 0; repeat < 20; ++repeat)
    expect_error([&] { encode(encoder, memory_table(table), false, 5000, 4); }, ErrorKind::data,
                 {"table:1999:3", "'c3'"});
}

TEST(Encoder, WeightsMustBeWeights) {
  const auto fit = [](const Numbers& weights) {
    return Encoder::fit(memory_table({{"a", Numbers{1, 2}}, {"w", weights}}, "", "w"), {});
  };
  EXPECT_EQ(fit({0, 1}).inputs().names, (Texts{"a", "(bias)"}));
  expect_error([&] { fit({1, -1}); }, ErrorKind::data, {"table:1:1", "'w'", "-1"});
  expect_error([&] { fit({INFINITY, 1}); }, ErrorKind::data, {"table:0:1", "'w'"});
  expect_error([&] { fit({1, kMissing}); }, ErrorKind::data, {"table:1:1", "'w'", "missing"});
  expect_error([&] { fit({0, 0}); }, ErrorKind::data, {"'w'", "every weight"});
  expect_error(
      [&] {
        encode(fit({1, 2}), memory_table({{"a", Numbers{1}}, {"w", Numbers{-2}}}, "", "w"), true);
      },
      ErrorKind::data, {"table:0:1", "'w'", "-2"});
  expect_error(
      [&] {
        Encoder::fit(memory_table({{"a", Numbers{1}}, {"w", Texts{"x"}}}, "", "w"), {});
      },
      ErrorKind::data, {"'w'", "text"});
  expect_error(
      [&] {
        Encoder::fit(memory_table({{"a", Numbers{1}}, {"w", Numbers{1}}}, "w", "w"), {});
      },
      ErrorKind::option, {"weights", "'w'"});
}

TEST(Encoder, WithoutTargetNeitherTargetNorWeightsAreTouched) {
  const auto table = mixed_table(100);
  const Encoder encoder = Encoder::fit(memory_table(table, "y", "w"), {});
  auto broken = table;
  broken[3].cells = Numbers(100, kMissing);
  broken[5].cells = Texts(100, "no weight");
  const Encoded all = encode(encoder, memory_table(broken, "y", "w"), false);
  EXPECT_TRUE(all.y.empty());
  EXPECT_TRUE(all.weights.empty());
  const std::vector<TableColumn> inputs_only = {table[0], table[1], table[2], table[4]};
  EXPECT_TRUE(same(all, encode(encoder, memory_table(inputs_only), false)));
}

TEST(Encoder, FittedToInputsAloneNeverLooksAtTheTarget) {
  auto table = mixed_table(100);
  const Encoder expected = Encoder::fit(memory_table({table[0], table[1], table[2], table[4]}), {});
  table[3].cells = Numbers(100, kMissing);
  table[5].cells = Texts(100, "no weight");
  const Encoder encoder = Encoder::fit_inputs(memory_table(table, "y", "w"), {});
  EXPECT_EQ(encoder.target().task, Task::none);
  EXPECT_EQ(encoder.to_json(), expected.to_json());
}

TEST(Encoder, TablesThatCannotBeEncoded) {
  expect_error([] { Encoder::fit(memory_table({{"a", Numbers{}}}), {}); }, ErrorKind::data, {"table", "no rows"});
  expect_error(
      [] {
        Encoder::fit(memory_table({{"y", Numbers{1, 2}}}, "y"), {});
      },
      ErrorKind::data, {"no input columns"});
  expect_error(
      [] {
        Encoder::fit(memory_table({{"a", Numbers{1}}, {"a", Numbers{1}}}), {});
      },
      ErrorKind::data, {"two columns", "'a'", "drop 1"});
  for (const Scaling scale : {Scaling::none, Scaling::standard, Scaling::minmax, Scaling::quantile})
    expect_error(
        [&] {
          Encoder::fit(memory_table({{"big", Numbers{1e308, 1.1e308, 1.2e308}}}), {.scale = scale});
        },
        ErrorKind::data, {"'big'", "beyond double precision", "drop big"});
  Texts identifiers;
  for (int i = 0; i < 10001; ++i) identifiers.push_back("id" + std::to_string(i));
  expect_error(
      [&] {
        Encoder::fit(memory_table({{"id", identifiers}}), {});
      },
      ErrorKind::data, {"'id'", "10000 categories", "drop id"});
}

TEST(Encoder, ReportsProgressAndStopsOnRequest) {
  const Data data = memory_table(mixed_table(10000), "y", "w");
  double done = 0;
  std::atomic<bool> cancel = false;
  weft::Run run{.cancel = &cancel};
  run.on_progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.stage, "reading");
    EXPECT_NEAR(progress.total, 10000, 1e-6);
    done = progress.done;
  };
  Encoder::fit(data, {}, run);
  EXPECT_EQ(done, 10000);
  cancel = true;
  expect_error([&] { Encoder::fit(data, {}, run); }, ErrorKind::cancelled, {});
}

TEST(Encoder, TakesTheTargetOfAnotherTable) {
  const Data many = memory_table({{"a", Numbers{1, 2, 3, 6}}, {"city", Texts{"x", "y", "z", "x"}}}, "");
  const Data few = memory_table({{"city", Texts{"y", "x"}}, {"a", Numbers{3, 6}}, {"t", Texts{"no", "yes"}}}, "t");
  const Encoder encoder = Encoder::fit_inputs(many, {.scale = Scaling::standard}).with_target_of(few);
  EXPECT_EQ(encoder.inputs().names, (Texts{"a", "city=x", "city=y", "city=z", "(bias)"}));
  EXPECT_EQ(encoder.target().classes, (Texts{"no", "yes"}));
  EXPECT_EQ(encoder.rows_seen(), 2);
  const auto encoded = encode(encoder, few, true);
  EXPECT_EQ(encoded.y, (Numbers{0, 1}));
  EXPECT_NEAR(encoded.x(0, 0), 0, 1e-15);  // the mean of `a` is that of the many
}

TEST(Encoder, EncodesGenerators) {
  const Data data = generate("gaussian-quantiles", {.rows = 3000});
  const Encoder encoder = Encoder::fit(data, {.scale = Scaling::quantile});
  EXPECT_EQ(encoder.target().task, Task::multiclass);
  EXPECT_EQ(encoder.target().classes, (Texts{"0", "1", "2"}));
  EXPECT_EQ(encoder.inputs().names, (Texts{"x0", "x1", "(bias)"}));
  EXPECT_EQ(encode(encoder, data, true).y.size(), 3000u);
  EXPECT_EQ(Encoder::fit(generate("friedman1"), {}).target().task, Task::regression);
  EXPECT_EQ(Encoder::fit(generate("moons"), {}).target().task, Task::binary);
}

}  // namespace
}  // namespace weft
