// The JSON half of Encoder.
#include <weft/encoder.hpp>

#include <gtest/gtest.h>

#include "data/encode_all.hpp"
#include "data/expect_error.hpp"
#include "data/memory_table.hpp"

namespace weft {

using namespace detail;
namespace {

using testing::encode;
using testing::expect_error;
using testing::memory_table;
using testing::mixed_table;
using testing::Numbers;
using testing::same;
using testing::Texts;

TEST(EncoderJson, RoundTripEncodesBitForBitAlike) {
  auto table = mixed_table(5000);
  table.push_back({"latin\xe9", Texts(5000, "caf\xe9")});
  for (const Scaling scale : {Scaling::standard, Scaling::minmax, Scaling::quantile, Scaling::none, Scaling::both}) {
    const Data data = memory_table(table, "y", "w");
    const Encoder encoder = Encoder::fit(data, {.scale = scale, .missing = MissingCells::impute, .bias = false});
    const Encoder again = Encoder::from_json(encoder.to_json());
    EXPECT_EQ(again.to_json(), encoder.to_json());
    EXPECT_EQ(again.inputs().names, encoder.inputs().names);
    EXPECT_EQ(again.inputs().variable_of, encoder.inputs().variable_of);
    EXPECT_EQ(again.options().missing, MissingCells::impute);
    EXPECT_FALSE(again.inputs().bias);
    EXPECT_EQ(again.rows_seen(), 5000);
    EXPECT_TRUE(same(encode(encoder, data, true), encode(again, data, true))) << name_of(scale);
  }
  const Data classes = memory_table({{"x", Numbers{1, 2, 3}}, {"y", Texts{"b", "a", "c"}}}, "y");
  const Encoder again = Encoder::from_json(Encoder::fit(classes, {}).to_json());
  EXPECT_EQ(again.target().task, Task::multiclass);
  EXPECT_EQ(again.target().classes, (Texts{"a", "b", "c"}));
  EXPECT_EQ(encode(again, classes, true).y, (Numbers{1, 0, 2}));
}

TEST(EncoderJson, NumbersHaveAsManyScalersAsTheirScaleSays) {
  const Data data = memory_table({{"x", Numbers{1, 2, 3}}});
  for (const auto& [from, to] :
       {std::pair(Scaling::both, Scaling::quantile), std::pair(Scaling::quantile, Scaling::both)}) {
    std::string text = Encoder::fit(data, {.scale = from}).to_json();
    text.replace(text.find(name_of(from)), std::string(name_of(from)).size(), name_of(to));
    expect_error([&] { Encoder::from_json(text); }, ErrorKind::model, {"encoder", "scalers"});
  }
}

TEST(EncoderJson, DamagedTextIsAModelError) {
  const Data data =
      memory_table({{"x", Numbers{1, 2, 3}}, {"t", Texts{"b", "a", "c"}}, {"y", Texts{"b", "a", "c"}}}, "y");
  const std::string good = Encoder::fit(data, {.scale = Scaling::quantile}).to_json();
  for (std::size_t length = 0; length < good.size(); ++length)
    expect_error([&] { Encoder::from_json(good.substr(0, length)); }, ErrorKind::model, {"encoder"});
  const auto damaged = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t where = text.find(from);
    ASSERT_NE(where, std::string::npos) << from;
    text.replace(where, from.size(), to);
    expect_error([&] { Encoder::from_json(text); }, ErrorKind::model, {"encoder"});
  };
  damaged("weft encoder", "weft decoder");
  damaged("\"version\":1", "\"version\":2");
  damaged("\"quantile\"", "\"log\"");
  damaged("\"rows\":3", "\"rows\":-3");
  damaged("[1.0,2.0,3.0]", "[1.0,3.0,2.0]");
  damaged("[1.0,2.0,3.0]", "[1.0,2.0]");
  damaged("[1.0,2.0,3.0]", "[1.0,null,3.0]");
  damaged("[\"a\",\"b\",\"c\"]", "[\"b\",\"a\",\"c\"]");
  damaged("[\"a\",\"b\",\"c\"]", "[\"a\",\"a\",\"c\"]");
  damaged("[\"a\",\"b\",\"c\"]", "[\"a\",\"b\"]");
  damaged("multiclass", "binary");
  damaged("multiclass", "ranking");
}

}  // namespace
}  // namespace weft
