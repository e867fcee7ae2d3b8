#include "model/narrow_inputs.hpp"

#include <gtest/gtest.h>

#include <string>

#include "model/sample_models.hpp"

namespace weft::testing {

using namespace detail;

namespace {

/// Numbers, and in the middle a category.
Data wide_table(Index columns, Index rows) {
  std::vector<TableColumn> table;
  for (Index c = 0; c < columns; ++c) {
    std::vector<double> cells;
    for (Index i = 0; i < rows; ++i) cells.push_back(made_up(i, static_cast<std::uint32_t>(c)));
    table.push_back({"n" + std::to_string(c), cells});
    if (2 * c == columns) table.push_back({"kind", std::vector<std::string>{"a", "b", "a", "c", "b", "a"}});
  }
  return memory_table(std::move(table));
}

constexpr Index kWideRows = 6;
constexpr Index kWideColumns = 12000;

Matrix encoded(const Encoder& encoder, const Data& data) {
  const auto reader = encoder.open(data, false);
  Block block;
  EXPECT_TRUE(reader->next(block, kWideRows));
  return std::move(block.x);
}

Matrix values(const FeatureMap& map, const Matrix& x) {
  Matrix phi(map.features(), x.cols());
  map.values(x, phi.view());
  return phi;
}

TEST(NarrowInputs, GiveTheSameFeaturesBitForBit) {
  const Data data = wide_table(kWideColumns, kWideRows);
  const Encoder encoder = Encoder::fit_inputs(data, {});
  const Matrix x = encoded(encoder, data);
  for (const char* family :
       {"rw-relu/sparse:3", "rw-stumps", "rks-cos/sparse:2", "rw-stumps:30+rw-exp-relu/sparse:3:50"}) {
    SCOPED_TRACE(family);
    const FeatureMap map = FeatureMap::draw(sample_family(family, 80), encoder.inputs());
    const auto narrow = narrow_inputs(encoder, map);
    ASSERT_TRUE(narrow);
    EXPECT_LT(narrow->map.inputs().columns(), 300);
    EXPECT_EQ(narrow->map.inputs().names, narrow->encoder.inputs().names);
    const Matrix whole = values(map, x);
    const Matrix part = values(narrow->map, encoded(narrow->encoder, data));
    for (Index t = 0; t < whole.rows(); ++t)
      for (Index i = 0; i < kWideRows; ++i) ASSERT_EQ(whole(t, i), part(t, i)) << t;
    const Matrix again = values(on_all_inputs(narrow->map, map), x);
    EXPECT_EQ(std::vector<double>(again.data(), again.data() + again.rows() * kWideRows),
              std::vector<double>(whole.data(), whole.data() + whole.rows() * kWideRows));
  }
}

TEST(NarrowInputs, AreForWideTablesWhoseFeaturesSeeLittleOfThem) {
  const Data data = wide_table(kWideColumns, kWideRows);
  const Encoder encoder = Encoder::fit_inputs(data, {});
  EXPECT_FALSE(narrow_inputs(encoder, FeatureMap::draw(sample_family("rw-relu", 3), encoder.inputs())));
  EXPECT_FALSE(narrow_inputs(encoder, FeatureMap::draw(sample_family("rw-stumps", 20000), encoder.inputs())));
  const Encoder few = Encoder::fit_inputs(wide_table(100, kWideRows), {});
  EXPECT_FALSE(narrow_inputs(few, FeatureMap::draw(sample_family("rw-stumps", 3), few.inputs())));
}

}  // namespace

}  // namespace weft::testing
