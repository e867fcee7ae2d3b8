// Columns with many categories: what becomes of their cells.
#include <weft/level_statistics.hpp>

#include <set>

#include <nlohmann/json.hpp>

#include "core/at.hpp"
#include "data/encode/encoder_state.hpp"
#include "data/encode_all.hpp"
#include "data/expect_error.hpp"

namespace weft {
namespace {

using namespace testing;

constexpr Index kShopRows = 3000;

/// Levels l0 … l(levels-1), the first of which has half of the rows; y is the number of the level and a little noise.
struct Shops {
  Index levels = 200;
  Index classes = 0;      ///< y is one of them
  std::string hole = "";  ///< cell of every 50th row, if not empty: "-" for a missing one

  Index level(Index i) const {
    const Random random(3, RandomStream::fit);
    const auto r = static_cast<std::uint64_t>(i);
    return i < levels ? i : random.uniform(r) < 0.5 ? 0 : random.below(levels, r, 1);
  }
  Data data(Index rows = kShopRows) const {
    const Random random(3, RandomStream::fit);
    Texts shop;
    Numbers x, y;
    Texts kind;
    for (Index i = 0; i < rows; ++i) {
      const auto r = static_cast<std::uint64_t>(i);
      const bool missing = !hole.empty() && i % 50 == 49;
      shop.push_back(missing ? "" : "l" + std::to_string(level(i)));
      x.push_back(random.normal(r, 2));
      y.push_back(static_cast<double>(level(i) % 10) + (missing ? 20 : 0) + 0.1 * random.normal(r, 3));
      if (classes > 0) kind.push_back("k" + std::to_string(level(i) % classes));
    }
    std::vector<TableColumn> table = {{"shop", shop}, {"x", x}};
    if (classes > 0)
      table.push_back({"y", kind});
    else
      table.push_back({"y", y});
    return memory_table(table, "y", "", 700);
  }
};

Matrix training_inputs(const Encoder& encoder, const Data& data, Index rows, int threads = 1) {
  const auto reader = encoder.open_training(data, true, {.threads = threads});
  Matrix all(encoder.inputs().columns(), kShopRows);
  for (Block block; reader->next(block, rows);)
    for (Index j = 0; j < all.rows(); ++j) std::copy_n(block.x.row(j), block.rows(), all.row(j) + block.first_row);
  return all;
}

TEST(ManyLevels, UpToTheLimitEveryCategoryHasAnInput) {
  const Data data = Shops{.levels = 50}.data();
  EXPECT_EQ(Encoder::fit(data, {}).inputs().columns(), 52);
  EXPECT_TRUE(Encoder::fit(data, {}).many_levels().empty());
  EXPECT_EQ(Encoder::fit(data, {.max_levels = 0}).inputs().names, Encoder::fit(data, {}).inputs().names);
  const Encoder few = Encoder::fit(data, {.max_levels = 49});
  ASSERT_EQ(few.many_levels().size(), 1u);
  EXPECT_EQ(few.many_levels()[0].levels, 50);
  EXPECT_EQ(Encoder::fit(Shops{}.data(), {.max_levels = 0}).inputs().columns(), 202);
  EXPECT_EQ(Encoder::fit_inputs(Shops{}.data(), {}).inputs().columns(), 202) << "without a target there are no effects";
}

TEST(ManyLevels, FrequentOnesHaveAnInputAndAllOfThemAnEffect) {
  const Encoder encoder = Encoder::fit(Shops{}.data(), {});
  EXPECT_EQ(encoder.inputs().names, (Texts{"shop=l0", "shop (effect)", "x", "(bias)"}));
  EXPECT_EQ(encoder.inputs().variable_of, (std::vector<Index>{0, 0, 1, -1}));
  EXPECT_EQ(encoder.column_kinds()[0], ColumnKind::one_hot);
  EXPECT_EQ(encoder.column_kinds()[1], ColumnKind::effect);
  ASSERT_EQ(encoder.many_levels().size(), 1u);
  EXPECT_EQ(encoder.many_levels()[0].variable, "shop");
  EXPECT_EQ(encoder.many_levels()[0].frequent, 1);
}

TEST(ManyLevels, FrequentLevelsAreThoseWithAHundredthOfTheRows) {
  EXPECT_EQ(frequent_levels({10, 9, 500, 10}, 1000), (std::vector<Index>{0, 2, 3}));
  EXPECT_EQ(static_cast<Index>(frequent_levels(std::vector<Index>(80, 20), 1600).size()), 30);
}

TEST(ManyLevels, NewRowsGetTheEffectOfAllRowsAndTrainingRowsThatOfOtherFolds) {
  const Shops shops;
  const Data data = shops.data();
  const Encoder encoder = Encoder::fit(data, {.scale = Scaling::none});
  const ManyLevels& many = *encoder.state().variables[0].many;
  const Categories& categories = encoder.state().variables[0].categories;
  const Matrix all = encode(encoder, data).x;
  const Matrix training = training_inputs(encoder, data, 2048);
  std::set<Index> folds;
  for (Index i = 0; i < kShopRows; ++i) {
    const Index level = categories.find("l" + std::to_string(shops.level(i)));
    folds.insert(level_fold(i));
    ASSERT_EQ(all(1, i), many.effects(0, level));
    ASSERT_EQ(training(1, i), many.by_fold(level_fold(i), level));
    EXPECT_NEAR(all(1, i), static_cast<double>(shops.level(i) % 10) - 4.5, 0.3) << "from the mean of the levels";
  }
  EXPECT_EQ(static_cast<Index>(folds.size()), kLevelFolds);
}

TEST(ManyLevels, BlocksAndThreadsDoNotMatter) {
  const Data data = Shops{}.data();
  const Encoder encoder = Encoder::fit(data, {}, {.threads = 1});
  EXPECT_EQ(Encoder::fit(data, {}, {.threads = 3}).to_json(), encoder.to_json());
  const Matrix expected = training_inputs(encoder, data, 4096);
  for (const Index rows : {100, 777})
    for (const int threads : {1, 3}) {
      const Matrix other = training_inputs(encoder, data, rows, threads);
      EXPECT_TRUE(std::equal(expected.data(), expected.data() + expected.rows() * expected.cols(), other.data()));
    }
}

TEST(ManyLevels, PartsOfATableHaveTheFoldsOfTheWhole) {
  const Data data = Shops{}.data();
  const Encoder encoder = Encoder::fit(data, {});
  const Matrix whole = training_inputs(encoder, data, 4096);
  const auto reader = encoder.open_training(data.rows(1000, kShopRows), true, {}, 1000);
  for (Block block; reader->next(block, 512);)
    for (Index i = 0; i < block.rows(); ++i) ASSERT_EQ(block.x(1, i), whole(1, 1000 + block.first_row + i));
}

TEST(ManyLevels, UnseenOnesHaveNoEffectAndAreCounted) {
  const Encoder encoder = Encoder::fit(Shops{}.data(), {.scale = Scaling::none});
  const Data strange = memory_table({{"shop", Texts{"l3", "new", ""}}, {"x", Numbers{0, 0, 0}}});
  std::vector<std::string> warnings;
  weft::Run run;
  run.on_warning = [&](const std::string& text) { warnings.push_back(text); };
  const auto reader = encoder.open(strange, false, run);
  Block block;
  ASSERT_TRUE(reader->next(block, 10));
  EXPECT_FALSE(reader->next(block, 10));
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find("shop 'new' 1"), std::string::npos) << warnings[0];
  const Matrix x = encode(encoder, strange).x;
  EXPECT_NE(x(1, 0), 0);
  EXPECT_EQ(x(1, 1), 0);
  EXPECT_EQ(x(1, 2), 0);
}

TEST(ManyLevels, MissingCellsAreALevelOfTheirOwn) {
  const Encoder encoder = Encoder::fit(Shops{.hole = "-"}.data(), {.scale = Scaling::none});
  EXPECT_EQ(encoder.inputs().names, (Texts{"shop=l0", "shop (effect)", "shop (missing)", "x", "(bias)"}));
  const Matrix x = encode(encoder, Shops{.hole = "-"}.data()).x;
  EXPECT_EQ(x(1, 49), 0);
  EXPECT_EQ(x(2, 49), 1);
  // What missing cells do to the target is not mistaken for an effect of the levels.
  const Matrix other = encode(Encoder::fit(Shops{}.data(), {.scale = Scaling::none}), Shops{}.data()).x;
  for (Index i = 0; i < 49; ++i) EXPECT_NEAR(x(1, i), other(1, i), 0.5);
}

TEST(ManyLevels, OneEffectPerClassUpToTen) {
  const Encoder two = Encoder::fit(Shops{.classes = 2}.data(), {});
  EXPECT_EQ(two.inputs().names[1], "shop (effect on k1)");
  EXPECT_EQ(two.inputs().columns(), 4);
  const Encoder three = Encoder::fit(Shops{.classes = 3}.data(), {});
  EXPECT_EQ(three.inputs().names[3], "shop (effect on k2)");
  EXPECT_EQ(three.inputs().columns(), 6);
  const Encoder many = Encoder::fit(Shops{.levels = 400, .classes = 25}.data(), {});
  EXPECT_EQ(many.inputs().columns(), 1 + kMostLevelOutputs + 2);
  EXPECT_EQ(many.inputs().names[1], "shop (effect on k0)") << "the most frequent class";
}

TEST(ManyLevels, ComeBackFromJson) {
  const Data data = Shops{.hole = "-"}.data();
  for (const Scaling scale : {Scaling::quantile, Scaling::both, Scaling::minmax}) {
    const Encoder encoder = Encoder::fit(data, {.scale = scale});
    const Encoder back = Encoder::from_json(encoder.to_json());
    EXPECT_EQ(back.to_json(), encoder.to_json());
    EXPECT_EQ(back.inputs().names, encoder.inputs().names);
    EXPECT_TRUE(same(encode(back, data), encode(encoder, data)));
    const Matrix a = training_inputs(back, data, 999), b = training_inputs(encoder, data, 999);
    EXPECT_TRUE(std::equal(a.data(), a.data() + a.rows() * a.cols(), b.data()));
  }
}

TEST(ManyLevels, DamagedJsonIsRefused) {
  using Json = nlohmann::ordered_json;
  const Json json = Json::parse(Encoder::fit(Shops{}.data(), {}).to_json());
  const auto expect_refused = [&](auto damage) {
    Json damaged = json;
    damage(damaged["variables"][0]["levels"]);
    EXPECT_THROW(Encoder::from_json(damaged.dump()), Error) << damaged.dump().substr(0, 300);
  };
  expect_refused([](Json& levels) { levels["effects"][0].erase(3); });
  expect_refused([](Json& levels) { levels["by_fold"].erase(0); });
  expect_refused([](Json& levels) { levels["frequent"] = {200}; });
  expect_refused([](Json& levels) { levels["frequent"] = {1, 0}; });
  expect_refused([](Json& levels) { levels["outputs"] = Json::array(); });
  expect_refused([](Json& levels) { levels["scalers"] = Json::array(); });
  expect_refused([](Json& levels) { levels.erase("effects"); });
  Json older = json;
  older["options"].erase("max_levels");
  EXPECT_EQ(Encoder::from_json(older.dump()).options().max_levels, 50);
}

}  // namespace
}  // namespace weft
