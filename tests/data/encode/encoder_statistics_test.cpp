#include <weft/encoder.hpp>

#include "data/encode_all.hpp"
#include "data/expect_error.hpp"

namespace weft {
namespace {

using namespace testing;

constexpr Index kManyRows = 45000;  // beyond the sample

Data mixed(Index rows) {
  std::vector<TableColumn> table = mixed_table(rows);
  std::get<Numbers>(table[0].cells)[7] = kMissing;
  std::get<Texts>(table[1].cells)[8] = "";
  return memory_table(table, "y", "w", 1000);
}

EncoderStatistics merged(const Data& data, const EncodeOptions& options, const std::vector<Index>& cuts) {
  EncoderStatistics all = EncoderStatistics::of(data.rows(0, cuts.front()), options);
  for (std::size_t k = 1; k < cuts.size(); ++k)
    all.merge(EncoderStatistics::of(data.rows(cuts[k - 1], cuts[k]), options, {}, cuts[k - 1]));
  return all;
}

/// Equal but for the rounding of means and variances.
void expect_alike(const Encoder& a, const Encoder& b, const Data& data) {
  EXPECT_EQ(a.inputs().names, b.inputs().names);
  EXPECT_EQ(a.target().task, b.target().task);
  EXPECT_EQ(a.target().classes, b.target().classes);
  EXPECT_EQ(a.rows_seen(), b.rows_seen());
  const Encoded one = encode(a, data, true);
  const Encoded other = encode(b, data, true);
  ASSERT_EQ(one.x.rows(), other.x.rows());
  for (Index j = 0; j < one.x.rows(); ++j)
    for (Index i = 0; i < one.x.cols(); ++i)
      ASSERT_NEAR(one.x(j, i), other.x(j, i), 1e-12 * (1 + std::abs(one.x(j, i))));
  EXPECT_EQ(one.y, other.y);
}

TEST(EncoderStatistics, PartsMergeToTheWhole) {
  const Data data = mixed(kManyRows);
  for (const Scaling scale : {Scaling::quantile, Scaling::standard, Scaling::minmax, Scaling::none, Scaling::both}) {
    const EncodeOptions options{.scale = scale, .missing = MissingCells::impute};
    const Encoder whole = Encoder::fit(data, options);
    expect_alike(Encoder::fit(merged(data, options, {10000, 10001, 30000, kManyRows})), whole, data);
    expect_alike(Encoder::fit(merged(data, options, {21000, kManyRows})), whole, data);
  }
}

TEST(EncoderStatistics, TheSampleOfMergedPartsIsThatOfOnePass) {
  // Scales by rank depend on the sample alone: the encoder is the same to the last bit, but for imputed means.
  std::vector<TableColumn> table = wide_table(kManyRows);
  table.resize(3);
  table.push_back({"city", std::get<Texts>(mixed_table(kManyRows)[1].cells)});
  table.push_back({"y", std::get<Texts>(mixed_table(kManyRows)[1].cells)});
  const Data data = memory_table(table, "y", "", 777);
  const Encoded whole = encode(Encoder::fit(data, {}), data, true);
  EXPECT_TRUE(same(encode(Encoder::fit(merged(data, {}, {4096, 19000, 20500, 33000, kManyRows})), data, true), whole));
}

TEST(EncoderStatistics, MergingIsAssociative) {
  const Data data = mixed(9000);
  const EncodeOptions options{.missing = MissingCells::impute};
  const auto part = [&](Index begin, Index end) {
    return EncoderStatistics::of(data.rows(begin, end), options, {}, begin);
  };
  EncoderStatistics left = part(0, 2000);
  left.merge(part(2000, 5000));
  left.merge(part(5000, 9000));
  EncoderStatistics right = part(2000, 5000);
  right.merge(part(5000, 9000));
  EncoderStatistics other = part(0, 2000);
  other.merge(right);
  EXPECT_EQ(left.rows(), 9000);
  expect_alike(Encoder::fit(left), Encoder::fit(other), data);
}

TEST(EncoderStatistics, ComeBackFromTheirBytes) {
  const Data data = mixed(25000);
  for (const Scaling scale : {Scaling::quantile, Scaling::standard, Scaling::both}) {
    const EncodeOptions options{.scale = scale, .missing = MissingCells::impute, .bias = false};
    const EncoderStatistics statistics = EncoderStatistics::of(data, options);
    const std::string bytes = statistics.to_bytes();
    const EncoderStatistics back = EncoderStatistics::from_bytes(bytes);
    EXPECT_EQ(back.to_bytes(), bytes);
    EXPECT_EQ(Encoder::fit(back).to_json(), Encoder::fit(statistics).to_json());
  }
  const EncoderStatistics inputs = EncoderStatistics::of_inputs(data, {.missing = MissingCells::impute});
  EXPECT_EQ(Encoder::fit(EncoderStatistics::from_bytes(inputs.to_bytes())).target().task, Task::none);
}

TEST(EncoderStatistics, PartsFromBytesMerge) {
  const Data data = mixed(kManyRows);
  const EncodeOptions options{.missing = MissingCells::impute};
  EncoderStatistics all = EncoderStatistics::from_bytes(EncoderStatistics::of(data.rows(0, 22000), options).to_bytes());
  all.merge(
      EncoderStatistics::from_bytes(EncoderStatistics::of(data.rows(22000, kManyRows), options, {}, 22000).to_bytes()));
  expect_alike(Encoder::fit(all), Encoder::fit(data, options), data);
}

TEST(EncoderStatistics, RefuseWhatDoesNotFit) {
  const Data data = mixed(3000);
  const EncodeOptions impute{.missing = MissingCells::impute};
  EncoderStatistics first = EncoderStatistics::of(data.rows(0, 1000), impute);
  expect_error([&] { first.merge(EncoderStatistics::of(data.rows(2000, 3000), impute, {}, 2000)); }, ErrorKind::data,
               {"do not follow"});
  expect_error(
      [&] { first.merge(EncoderStatistics::of(data, {.scale = Scaling::none, .missing = MissingCells::impute})); },
      ErrorKind::data, {"'scale' differs"});
  expect_error(
      [&] {
        first.merge(EncoderStatistics::of(memory_table({{"a", Numbers{1, 2}}}), impute));
      },
      ErrorKind::data, {"columns differ"});
  EncoderStatistics numbers = EncoderStatistics::of(memory_table({{"a", Numbers{1, 2}}}), impute);
  expect_error(
      [&] {
        numbers.merge(EncoderStatistics::of(memory_table({{"a", Texts{"x", "y"}}}), impute, {}, 2));
      },
      ErrorKind::data, {"text in one of them"});
  const std::string bytes = first.to_bytes();
  for (std::size_t i = 0; i < bytes.size(); i += 101) {
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ 1);
    EXPECT_THROW(EncoderStatistics::from_bytes(flipped), Error) << i;
  }
  EXPECT_THROW(EncoderStatistics::from_bytes(bytes.substr(0, bytes.size() / 2)), Error);
}

TEST(EncoderStatistics, ManyClassesStopBeingCountedInMergedPartsToo) {
  Numbers target;
  for (Index i = 0; i < 3000; ++i) target.push_back(static_cast<double>(i));
  Numbers x = target;
  const Data data = memory_table({{"x", x}, {"y", target}}, "y");
  expect_error(
      [&] {
        Encoder::fit(merged(data, {.task = TargetKind::classification}, {600, 1500, 3000}));
      },
      ErrorKind::data, {"more than 1000 classes"});
  EXPECT_EQ(Encoder::fit(merged(data, {}, {600, 1500, 3000})).target().task, Task::regression);
}

}  // namespace
}  // namespace weft
