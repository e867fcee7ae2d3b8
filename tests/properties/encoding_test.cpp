// What the encoded inputs do not depend on.
#include "properties/random_table.hpp"

#include <weft/encoder.hpp>

namespace weft {

using namespace detail;
namespace {

using namespace test;

using testing::encode;
using testing::memory_table;

EncodeOptions draw_encoding(Draw& draw) {
  return {.scale = draw.one_of({Scaling::quantile, Scaling::standard, Scaling::minmax, Scaling::both, Scaling::none}),
          .missing = draw.flip() ? MissingCells::indicate : MissingCells::impute,
          .bias = draw.flip()};
}

TEST(EncodingProperties, BlocksPiecesAndThreadsChangeNoBit) {
  for_all(40, [](Draw& draw) {
    const Index rows = draw.below(8) == 0 ? 25000 : draw.count(1, 3000);
    const RandomTable table = draw_table(draw, rows);
    const EncodeOptions options = draw_encoding(draw);
    const Encoder one = Encoder::fit(memory_table(table), options, {.threads = 1});
    const Data cut = memory_table(table, "", "", 1 + draw.below(rows));
    const Encoder other = Encoder::fit(cut, options, {.threads = 3});
    EXPECT_EQ(other.to_json(), one.to_json());
    const Encoded whole = encode(one, memory_table(table));
    EXPECT_TRUE(same(encode(one, cut, false, 1 + draw.below(rows), 2), whole));
    EXPECT_TRUE(same(encode(Encoder::from_json(one.to_json()), cut, false, 1 + draw.below(65536), 3), whole));
  });
}

TEST(EncodingProperties, OrderOfColumnsChangesNoBit) {
  for_all(40, [](Draw& draw) {
    const RandomTable table = draw_table(draw, draw.count(1, 500));
    const RandomTable moved = with_columns(table, draw.permutation(static_cast<Index>(table.size())));
    const EncodeOptions options = draw_encoding(draw);
    const Encoder encoder = Encoder::fit(memory_table(table), options);
    const Encoded x = encode(encoder, memory_table(table));
    EXPECT_TRUE(same(encode(encoder, memory_table(moved)), x));
    // An encoder of the moved table has the same inputs in another order.
    const Encoder of_moved = Encoder::fit(memory_table(moved), options);
    const Encoded y = encode(of_moved, memory_table(moved));
    const std::vector<std::string>& names = encoder.inputs().names;
    ASSERT_EQ(of_moved.inputs().names.size(), names.size());
    for (std::size_t c = 0; c < names.size(); ++c) {
      const auto found = std::find(of_moved.inputs().names.begin(), of_moved.inputs().names.end(), names[c]);
      ASSERT_NE(found, of_moved.inputs().names.end()) << names[c];
      EXPECT_EQ(testing::row(x.x, static_cast<Index>(c)), testing::row(y.x, found - of_moved.inputs().names.begin()))
          << names[c];
    }
  });
}

TEST(EncodingProperties, RowsAreEncodedAlikeWhereverTheyAre) {
  for_all(40, [](Draw& draw) {
    const Index rows = draw.count(1, 700);
    const RandomTable table = draw_table(draw, rows);
    const Encoder encoder = Encoder::fit(memory_table(table), draw_encoding(draw));
    std::vector<Index> order = draw.permutation(rows);
    for (Index k = 0; k < 5; ++k) order.push_back(draw.below(rows));  // some of them again
    const Encoded x = encode(encoder, memory_table(table));
    const Encoded moved = encode(encoder, memory_table(with_rows(table, order)));
    ASSERT_EQ(moved.x.cols(), static_cast<Index>(order.size()));
    for (Index c = 0; c < x.x.rows(); ++c)
      for (std::size_t k = 0; k < order.size(); ++k) ASSERT_EQ(moved.x(c, static_cast<Index>(k)), x.x(c, order[k]));
  });
}

TEST(EncodingProperties, OrderOfTrainingRowsChangesRoundingAlone) {
  for_all(40, [](Draw& draw) {
    const Index rows = draw.count(1, 700);
    const RandomTable table = draw_table(draw, rows);
    const EncodeOptions options = draw_encoding(draw);
    const Encoder one = Encoder::fit(memory_table(table), options);
    const Encoder other = Encoder::fit(memory_table(with_rows(table, draw.permutation(rows))), options);
    EXPECT_EQ(one.inputs().names, other.inputs().names);
    const Encoded a = encode(one, memory_table(table));
    const Encoded b = encode(other, memory_table(table));
    for (Index c = 0; c < a.x.rows(); ++c) {
      // A column at 1e6 standard deviations from 0 has six digits less; a mean beside knots moves with their slope.
      double size = 1;
      for (Index i = 0; i < rows; ++i) size = std::max(size, std::abs(a.x(c, i)));
      for (Index i = 0; i < rows; ++i) ASSERT_NEAR(a.x(c, i), b.x(c, i), 1e-8 * size) << one.inputs().names[c];
    }
  });
}

TEST(EncodingProperties, UnitsThatArePowersOfTwoChangeNoBit) {
  for_all(60, [](Draw& draw) {
    const Index rows = draw.count(2, 700);
    RandomTable table = draw_table(draw, rows);
    EncodeOptions options = draw_encoding(draw);
    if (options.scale == Scaling::none) options.scale = Scaling::standard;
    const Encoded x = encode(Encoder::fit(memory_table(table), options), memory_table(table));
    for (TableColumn& column : table) change_unit(column, draw.power_of_two(-10, 10));
    EXPECT_TRUE(same(encode(Encoder::fit(memory_table(table), options), memory_table(table)), x));
  });
}

TEST(EncodingProperties, OtherUnitsChangeRoundingAlone) {
  for_all(60, [](Draw& draw) {
    const Index rows = draw.count(2, 700);
    RandomTable table = draw_table(draw, rows);
    EncodeOptions options = draw_encoding(draw);
    if (options.scale == Scaling::none) options.scale = Scaling::minmax;
    const Encoder one = Encoder::fit(memory_table(table), options);
    const Encoded a = encode(one, memory_table(table));
    for (TableColumn& column : table) change_unit(column, draw.power_of_ten(-2, 2));
    const Encoder other = Encoder::fit(memory_table(table), options);
    ASSERT_EQ(one.inputs().names, other.inputs().names);
    const Encoded b = encode(other, memory_table(table));
    for (Index c = 0; c < a.x.rows(); ++c)
      for (Index i = 0; i < rows; ++i) ASSERT_NEAR(a.x(c, i), b.x(c, i), 1e-6) << one.inputs().names[c];
  });
}

}  // namespace
}  // namespace weft
