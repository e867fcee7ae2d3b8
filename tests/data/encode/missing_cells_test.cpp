// Missing cells that are indicated, and what is said about cells that training did not see.
#include <weft/encoder.hpp>

#include "data/encode_all.hpp"
#include "data/expect_error.hpp"

namespace weft {
namespace {

using namespace testing;

Data holes() {
  return memory_table({{"a", Numbers{1, kMissing, 5, 6}},
                       {"t", Texts{"v", "u", "", "u"}},
                       {"b", Numbers{1, 2, 3, 4}},
                       {"s", Texts{"p", "p", "o", "p"}}});
}

/// What encoding the table says.
Texts warnings(const Encoder& encoder, const Data& data) {
  Texts lines;
  weft::Run run;
  run.on_warning = [&](const std::string& text) { lines.push_back(text); };
  const auto rows = encoder.open(data, false, run);
  for (Block block; rows->next(block, 2);) continue;
  return lines;
}

TEST(MissingCells, AreTheMeanAndIndicatedByDefault) {
  const Encoder encoder = Encoder::fit(holes(), {.scale = Scaling::none, .bias = false});
  EXPECT_EQ(encoder.inputs().names, (Texts{"a", "a (missing)", "t=u", "t=v", "t (missing)", "b", "s=o", "s=p"}));
  EXPECT_EQ(encoder.inputs().variable_of, (std::vector<Index>{0, 0, 1, 1, 1, 2, 3, 3}));
  const Matrix x = encode(encoder, holes()).x;
  EXPECT_EQ(row(x, 0), (Numbers{1, 4, 5, 6}));
  EXPECT_EQ(row(x, 1), (Numbers{0, 1, 0, 0}));
  EXPECT_EQ(row(x, 2), (Numbers{0, 1, 0, 1}));
  EXPECT_EQ(row(x, 4), (Numbers{0, 0, 1, 0}));
  const auto counts = encoder.missing_cells();
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(counts[0].variable, "a");
  EXPECT_EQ(counts[1].cells, 1);
  EXPECT_TRUE(warnings(encoder, holes()).empty());
}

TEST(MissingCells, IndicatorsAreOneHotColumnsOfTheirVariable) {
  const Encoder encoder = Encoder::fit(holes(), {.scale = Scaling::both});
  const std::vector<ColumnKind> kinds = encoder.column_kinds();
  ASSERT_EQ(kinds.size(), static_cast<std::size_t>(encoder.inputs().columns()));
  EXPECT_EQ(kinds[0], ColumnKind::ranked);
  EXPECT_EQ(kinds[1], ColumnKind::standardised);
  EXPECT_EQ(kinds[2], ColumnKind::one_hot);
  EXPECT_EQ(kinds[6], ColumnKind::ranked);
  const Matrix x = encode(Encoder::fit(holes(), {.scale = Scaling::standard}), holes()).x;
  for (Index j = 0; j < x.rows() - 1; ++j) {
    double mean = 0;
    for (Index i = 0; i < 4; ++i) mean += x(j, i) / 4;
    EXPECT_NEAR(mean, 0, 1e-12) << j;
  }
}

TEST(MissingCells, WithoutAnyTheEncoderIsAsBefore) {
  const Data data = memory_table({{"a", Numbers{1, 2, 3}}, {"t", Texts{"u", "v", "u"}}});
  const Encoder strict = Encoder::fit(data, {.missing = MissingCells::error, .unseen = UnseenCategories::error});
  EXPECT_EQ(Encoder::fit(data, {}).with_rules(MissingCells::error, UnseenCategories::error).to_json(),
            strict.to_json());
}

TEST(MissingCells, WhereTrainingHadNoneAreCounted) {
  const Encoder encoder = Encoder::fit(holes(), {.scale = Scaling::none, .bias = false});
  const Data later = memory_table({{"a", Numbers{kMissing, 2, 3}},
                                   {"t", Texts{"", "u", "x"}},
                                   {"b", Numbers{kMissing, 1, kMissing}},
                                   {"s", Texts{"q", "", "q"}}});
  const Matrix x = encode(encoder, later).x;
  EXPECT_EQ(row(x, 5), (Numbers{2.5, 1, 2.5}));
  EXPECT_EQ(row(x, 6), (Numbers{0, 0, 0}));
  EXPECT_EQ(row(x, 7), (Numbers{0, 0, 0}));
  const Texts lines = warnings(encoder, later);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NE(lines[0].find("3 cells (t 'x' 1, s 'q' 2)"), std::string::npos) << lines[0];
  EXPECT_NE(lines[1].find("3 cells (b 2, s 1)"), std::string::npos) << lines[1];
}

TEST(MissingCells, RulesCanBeChangedAfterTheFit) {
  const Encoder encoder = Encoder::fit(holes(), {.scale = Scaling::none, .bias = false});
  const Encoder strict = encoder.with_rules(MissingCells::error, UnseenCategories::error);
  expect_error([&] { encode(strict, holes()); }, ErrorKind::data, {"table:1:0", "'a'", "missing indicate"});
  const Matrix x = encode(encoder.with_rules(MissingCells::impute, UnseenCategories::error), holes()).x;
  EXPECT_EQ(row(x, 0), (Numbers{1, 4, 5, 6}));
  EXPECT_EQ(row(x, 1), (Numbers{0, 0, 0, 0}));
  EXPECT_EQ(row(x, 2), (Numbers{0, 1, 1, 1}));
  EXPECT_EQ(row(x, 4), (Numbers{0, 0, 0, 0}));
}

TEST(MissingCells, AColumnWithoutAValueIsNotUsed) {
  for (const auto& empty : {TableColumn{"e", Numbers{kMissing, kMissing}}, TableColumn{"e", Texts{"", ""}}}) {
    const Encoder encoder = Encoder::fit(memory_table({{"a", Numbers{1, 2}}, empty}), {.scale = Scaling::both});
    EXPECT_EQ(encoder.inputs().variables(), 2);
    EXPECT_TRUE(encoder.missing_cells().front().all);
    const Encoder again = Encoder::from_json(encoder.to_json());
    for (const auto& later : {TableColumn{"e", Numbers{3, 4}}, TableColumn{"e", Texts{"x", ""}}}) {
      const Matrix x = encode(again, memory_table({{"a", Numbers{1, 2}}, later})).x;
      EXPECT_EQ(row(x, 2), (Numbers{0, 0}));
      EXPECT_EQ(row(x, 3), (Numbers{0, 0}));
    }
  }
}

TEST(MissingCells, AreKeptByJsonAndByMergedStatistics) {
  for (const Scaling scale : {Scaling::none, Scaling::quantile, Scaling::both}) {
    const Encoder encoder = Encoder::fit(holes(), {.scale = scale});
    const Encoder again = Encoder::from_json(encoder.to_json());
    EXPECT_EQ(again.to_json(), encoder.to_json());
    EXPECT_TRUE(same(encode(again, holes()), encode(encoder, holes())));
    EncoderStatistics parts = EncoderStatistics::of(holes().rows(0, 1), {.scale = scale});
    parts.merge(
        EncoderStatistics::from_bytes(EncoderStatistics::of(holes().rows(1, 4), {.scale = scale}, {}, 1).to_bytes()));
    EXPECT_EQ(Encoder::fit(parts).inputs().names, encoder.inputs().names);
    EXPECT_EQ(row(encode(Encoder::fit(parts), holes()).x, scale == Scaling::both ? 2 : 1),
              row(encode(encoder, holes()).x, scale == Scaling::both ? 2 : 1));
  }
}

TEST(MissingCells, ManyThreadsCountTheSame) {
  auto table = wide_table(5000);
  const Encoder encoder = Encoder::fit(memory_table(table), {});
  for (Index i = 0; i < 5000; i += 7) std::get<Numbers>(table[5].cells)[static_cast<std::size_t>(i)] = kMissing;
  weft::Run run{.threads = 4};
  Texts lines;
  run.on_warning = [&](const std::string& text) { lines.push_back(text); };
  const auto rows = encoder.open(memory_table(table), false, run);
  for (Block block; rows->next(block, 5000);) continue;
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("715 cells (c5 715)"), std::string::npos) << lines[0];
}

}  // namespace
}  // namespace weft
