// Columns of dates and of booleans in words, as the encoder reads them.
#include "data/encode/text_numbers.hpp"

#include <fmt/format.h>

#include "data/encode_all.hpp"
#include "data/expect_error.hpp"

namespace weft {

namespace {

using namespace testing;

const Texts kDays = {"2024-01-01", "2024-02-10", "", "2025-02-10", "2025-12-31"};
const Numbers kX = {1, 2, 3, 4, 5};

Encoder fit_plain(const Data& data, EncodeOptions options = {}) {
  options.scale = Scaling::none;
  options.bias = false;
  return Encoder::fit(data, options);
}

TEST(DateColumns, BecomeTheirParts) {
  const Data data = memory_table({{"when", kDays}, {"x", kX}});
  const Encoder encoder = fit_plain(data);
  EXPECT_EQ(encoder.inputs().names,
            (Texts{"when.year", "when.month", "when.day", "when.weekday", "when.seconds", "when (missing)", "x"}));
  EXPECT_EQ(encoder.inputs().variable_of, (std::vector<Index>{0, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(encoder.variable_names(), (Texts{"when", "x"}));
  EXPECT_EQ(encoder.column_kinds().size(), 7u);
  ASSERT_EQ(encoder.date_columns().size(), 1u);
  EXPECT_EQ(encoder.date_columns()[0].parts, (Texts{"year", "month", "day", "weekday", "seconds"}));
  const Matrix x = encode(encoder, data).x;
  EXPECT_EQ(row(x, 0), (Numbers{2024, 2024, 2024.5, 2025, 2025})) << "the mean of the others where it is missing";
  EXPECT_EQ(row(x, 1), (Numbers{1, 2, 4.25, 2, 12}));
  EXPECT_EQ(row(x, 2), (Numbers{1, 10, 13, 10, 31}));
  EXPECT_EQ(row(x, 3), (Numbers{1, 6, 2.75, 1, 3}));  // Monday, Saturday, Monday, Wednesday
  const double day = 86400;
  EXPECT_EQ(row(x, 4), (Numbers{0, 40 * day, (0 + 40 + 406 + 730) / 4.0 * day, 406 * day, 730 * day}));
  EXPECT_EQ(row(x, 5), (Numbers{0, 0, 1, 0, 0}));
}

TEST(DateColumns, PartsThatDoNotDifferAreLeftOut) {
  const auto names = [](const Texts& texts) { return fit_plain(memory_table({{"t", texts}})).inputs().names; };
  EXPECT_EQ(names({"2024-03-01 10:00", "2024-03-01 11:30"}), (Texts{"t.hour", "t.seconds"}));
  EXPECT_EQ(names({"2024-03-01", "2024-03-08"}), (Texts{"t.day", "t.seconds"}));
  EXPECT_EQ(names({"2024-03-01", "2024-03-01"}), (Texts{"t.seconds"}));
}

TEST(DateColumns, AreScaledAsNumbersAre) {
  Texts texts;
  Numbers months, days;
  for (Index i = 0; i < 300; ++i) {
    const Index month = i % 12 + 1, day = (7 * i) % 28 + 1;
    texts.push_back(fmt::format("2023-{:02}-{:02}", month, day));
    months.push_back(static_cast<double>(month));
    days.push_back(static_cast<double>(day));
  }
  const Data dates = memory_table({{"t", texts}});
  const Data numbers = memory_table({{"m", months}, {"d", days}});
  for (const Scaling scale : {Scaling::quantile, Scaling::standard, Scaling::minmax, Scaling::both}) {
    const EncodeOptions options{.scale = scale, .bias = false};
    const Encoder encoder = Encoder::fit(dates, options);
    const Matrix ours = encode(encoder, dates).x;
    const Encoder reference = Encoder::fit(numbers, options);
    const Matrix expected = encode(reference, numbers).x;
    for (Index j = 0; j < expected.rows(); ++j)
      for (Index i = 0; i < expected.cols(); ++i) ASSERT_NEAR(ours(j, i), expected(j, i), 1e-12) << name_of(scale);
    for (std::size_t j = 0; j < static_cast<std::size_t>(expected.rows()); ++j)
      EXPECT_EQ(encoder.column_kinds()[j], reference.column_kinds()[j]);
    EXPECT_TRUE(same(encode(Encoder::from_json(encoder.to_json()), dates), encode(encoder, dates)));
  }
  const Encoder both = Encoder::fit(dates, {.scale = Scaling::both});
  EXPECT_EQ(both.inputs().names[1], "t.month (standardised)");
}

TEST(DateColumns, StatisticsMergeAndTravel) {
  Texts texts;
  for (Index i = 0; i < 25000; ++i) texts.push_back(fmt::format("20{:02}-{:02}-{:02}", i % 30, i % 12 + 1, i % 28 + 1));
  const Data data = memory_table({{"t", texts}}, "", "", 1000);
  EncoderStatistics parts = EncoderStatistics::of(data.rows(0, 9000), {});
  parts.merge(EncoderStatistics::of(data.rows(9000, 25000), {}, {}, 9000));
  const Encoded whole = encode(Encoder::fit(data, {}), data);
  EXPECT_TRUE(same(encode(Encoder::fit(parts), data), whole));
  EXPECT_TRUE(same(encode(Encoder::fit(EncoderStatistics::from_bytes(parts.to_bytes())), data), whole));
}

TEST(DateColumns, ManyDifferentOnesAreNotIdentifiers) {
  Texts texts;
  for (Index i = 0; i < 100; ++i) texts.push_back(fmt::format("2024-03-01 {:02}:{:02}", i / 60, i % 60));
  const Data data = memory_table({{"t", texts}, {"x", Numbers(100, 1)}});
  EXPECT_EQ(fit_plain(data).inputs().names, (Texts{"t.hour", "t.seconds", "x"}));
}

TEST(DateColumns, MarkersAreMissingAndOtherTextsErrors) {
  Texts texts(30, "2024-03-01");
  texts[3] = "2024-05-01";
  texts[7] = "NA";
  EXPECT_EQ(fit_plain(memory_table({{"t", texts}})).missing_cells().front().cells, 1);
  texts[11] = "soon";
  expect_error(
      [&] {
        fit_plain(memory_table({{"t", texts}}));
      },
      ErrorKind::data, {"table:11:0", "28 of 29 cells are dates, 'soon' is not", "na_values", "categorical t"});
  for (std::size_t i = 12; i < 20; ++i) texts[i] = "later";
  EXPECT_EQ(fit_plain(memory_table({{"t", texts}})).inputs().names.front(), "t=2024-03-01") << "too few dates";
}

TEST(DateColumns, RowsToPredict) {
  const Encoder encoder = fit_plain(memory_table({{"when", kDays}, {"x", kX}}));
  const auto year = [&](const Data& data) { return encode(encoder, data).x(0, 0); };
  EXPECT_EQ(year(memory_table({{"when", Texts{"2031-01-01T05:00Z"}}, {"x", Numbers{1}}})), 2031);
  EXPECT_EQ(year(memory_table({{"when", Texts{"NA"}}, {"x", Numbers{1}}})), 2024.5);
  EXPECT_EQ(year(memory_table({{"when", Numbers{kMissing}}, {"x", Numbers{1}}})), 2024.5);
  expect_error(
      [&] {
        year(memory_table({{"when", Texts{"2024-01-01", "2024-02-30"}}, {"x", Numbers{1, 1}}}));
      },
      ErrorKind::data, {"table:1:0", "'2024-02-30' is not a date", "'when'"});
  expect_error(
      [&] {
        year(memory_table({{"when", Numbers{20240301}}, {"x", Numbers{1}}}));
      },
      ErrorKind::data, {"'20240301' is not a date"});
}

TEST(Booleans, AreNumbers) {
  for (const auto& [yes, no] : std::vector<std::pair<std::string, std::string>>{
           {"true", "false"}, {"Yes", "no"}, {"TRUE", "False"}, {"T", "F"}}) {
    const Data data = memory_table({{"b", Texts{yes, no, yes, yes}}, {"x", Numbers{1, 2, 3, 4}}});
    const Encoder encoder = fit_plain(data);
    EXPECT_EQ(encoder.inputs().names, (Texts{"b", "x"}));
    EXPECT_EQ(row(encode(encoder, data).x, 0), (Numbers{1, 0, 1, 1}));
    const Encoder again = Encoder::from_json(encoder.to_json());
    EXPECT_EQ(row(encode(again, data).x, 0), (Numbers{1, 0, 1, 1}));
  }
  const Data missing = memory_table({{"b", Texts{"yes", "", "no", "NA"}}});
  const Encoder encoder = fit_plain(missing);
  EXPECT_EQ(encoder.inputs().names, (Texts{"b", "b (missing)"}));
  EXPECT_EQ(row(encode(encoder, missing).x, 0), (Numbers{1, 0.5, 0, 0.5}));
  EXPECT_EQ(row(encode(encoder, missing).x, 1), (Numbers{0, 1, 0, 1}));
}

TEST(Booleans, OtherWordsAreCategories) {
  const auto names = [](const Texts& texts) { return fit_plain(memory_table({{"b", texts}})).inputs().names; };
  EXPECT_EQ(names({"yes", "no", "maybe"}), (Texts{"b=maybe", "b=no", "b=yes"}));
  EXPECT_EQ(names({"yes", "false"}), (Texts{"b=false", "b=yes"}));
  EXPECT_EQ(names({"yes", "yes"}), (Texts{"b=yes"})) << "one of the two words alone";
  EXPECT_EQ(names({"M", "F"}), (Texts{"b=F", "b=M"}));
}

TEST(Booleans, RowsToPredict) {
  const Encoder encoder = fit_plain(memory_table({{"b", Texts{"yes", "no", "no", "no"}}}));
  EXPECT_EQ(row(encode(encoder, memory_table({{"b", Texts{"yes", "YES"}}})).x, 0), (Numbers{1, 1}));
  EXPECT_EQ(row(encode(encoder, memory_table({{"b", Numbers{1, 0}}})).x, 0), (Numbers{1, 0}));
  std::string said;
  weft::Run run;
  run.on_warning = [&](const std::string& text) { said += text; };
  const Data odd = memory_table({{"b", Texts{"unknown", "yes"}}});
  const auto reader = encoder.open(odd, false, run);
  Block block;
  ASSERT_TRUE(reader->next(block, 10));
  EXPECT_EQ(row(block.x, 0), (Numbers{0.25, 1})) << "as a missing one";
  EXPECT_FALSE(reader->next(block, 10));
  EXPECT_NE(said.find("1 cell (b 'unknown' 1)"), std::string::npos) << said;
  expect_error([&] { encode(encoder.with_rules(MissingCells::indicate, UnseenCategories::error), odd); },
               ErrorKind::data, {"table:0:0", "'unknown'", "'b'"});
}

TEST(Booleans, TargetsStayClasses) {
  const Encoder encoder = fit_plain(memory_table({{"x", Numbers{1, 2, 3}}, {"y", Texts{"yes", "no", "no"}}}, "y"));
  EXPECT_EQ(encoder.target().classes, (Texts{"no", "yes"}));
}

}  // namespace
}  // namespace weft
