// Sums and statistics of parts, merged in every order that is allowed, against those of the whole in quadruple
// precision; of integers, where no addition rounds, to the last bit.
#include "data/encode/column_stats.hpp"
#include "properties/design.hpp"
#include "properties/random_table.hpp"

#include <weft/level_statistics.hpp>
#include <weft/sums.hpp>

#include <numeric>

namespace weft {

using namespace detail;
namespace {

using namespace test;

using testing::memory_table;

/// Ends of up to `most` parts of n rows; some may be empty where that is allowed.
std::vector<Index> draw_cuts(Draw& draw, Index n, Index most, bool empty) {
  std::vector<Index> cuts = {n};
  for (Index k = draw.below(most); k > 0; --k) cuts.push_back(empty ? draw.below(n + 1) : 1 + draw.below(n));
  std::sort(cuts.begin(), cuts.end());
  if (!empty) cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  return cuts;
}

/// Neighbours are merged, the left with the right one, until one is left: any way to set brackets.
template <class T, class Merge>
T merge_neighbours(Draw& draw, std::vector<T> parts, const Merge& merge) {
  while (parts.size() > 1) {
    const Index k = draw.below(static_cast<Index>(parts.size()) - 1);
    merge(parts[k], parts[k + 1]);
    parts.erase(parts.begin() + k + 1);
  }
  return std::move(parts.front());
}

template <class T>
void shuffle(Draw& draw, std::vector<T>& parts) {
  std::vector<T> moved;
  for (const Index i : draw.permutation(static_cast<Index>(parts.size()))) moved.push_back(parts[i]);
  parts = std::move(moved);
}

TEST(MergingProperties, MomentsOfPartsAreThoseOfTheWhole) {
  for_all(2000, [](Draw& draw) {
    const Index n = 1 + draw.count(0, 400);
    const TableColumn column = draw_numbers(draw, "x", n, true);
    const Numbers& values = std::get<Numbers>(column.cells);
    std::vector<Moments> parts;
    Index first = 0;
    for (const Index end : draw_cuts(draw, n, 8, true)) {
      parts.push_back(Moments::of(values.data() + first, end - first));
      first = end;
    }
    shuffle(draw, parts);  // the order of the parts is free
    const Moments merged = merge_neighbours(draw, parts, [](Moments& a, const Moments& b) { a.merge(b); });
    Quad sum = 0, squares = 0;
    Index count = 0;
    for (const double value : values)
      if (!std::isnan(value)) {
        sum += value;
        ++count;
      }
    ASSERT_EQ(merged.count, count);
    if (count == 0) return;
    const Quad mean = sum / count;
    for (const double value : values)
      if (!std::isnan(value)) squares += (value - mean) * (value - mean);
    // Chan, Golub & LeVeque 1983: the relative error of the sum of squares grows with √(1 + mean²/variance).
    const Quad deviation = square_root(squares / count);
    const double noise = 4 * static_cast<double>(count + 5) * DBL_EPSILON;
    EXPECT_LE(ratio(absolute(merged.mean - mean), absolute(mean) + deviation), noise);
    if (deviation == 0)
      EXPECT_EQ(merged.m2, 0);
    else
      EXPECT_LE(ratio(absolute(merged.m2 - squares), squares), noise * (1 + ratio(absolute(mean), deviation)));
    EXPECT_EQ(merged.min, *std::min_element(values.begin(), values.end(), [](double a, double b) {
                return a < b || (std::isnan(b) && !std::isnan(a));
              }));
  });
}

struct Rows {
  Matrix phi, y;
  std::vector<double> weights;
};

Accumulator add(const Rows& rows, Index first, Index end, const std::vector<double>& shift, int threads) {
  Accumulator sums(rows.phi.rows(), rows.y.rows(), shift);
  if (end > first)
    sums.add(rows.phi.view().col_range(first, end - first), rows.y.view().col_range(first, end - first),
             rows.weights.empty() ? nullptr : rows.weights.data() + first, threads);
  return sums;
}

/// Parts of the rows with shifts from `shifts`, merged in any order.
Accumulator merge_parts(Draw& draw, const Rows& rows, const std::function<std::vector<double>()>& shift) {
  std::vector<Accumulator> parts;
  Index first = 0;
  for (const Index end : draw_cuts(draw, rows.phi.cols(), 8, true)) {
    parts.push_back(add(rows, first, end, shift(), 1 + static_cast<int>(draw.below(3))));
    if (draw.flip()) parts.back() = Accumulator::from_bytes(parts.back().to_bytes());
    first = end;
  }
  shuffle(draw, parts);
  return merge_neighbours(draw, parts, [](Accumulator& a, const Accumulator& b) { a.merge(b); });
}

TEST(MergingProperties, SumsOfIntegersAreExactInEveryOrder) {
  for_all(300, [](Draw& draw) {
    const Index features = draw.count(1, 40), n = draw.count(1, 200);
    Rows rows{Matrix(features, n), Matrix(2, n), {}};
    const auto whole_number = [&] { return static_cast<double>(draw.below(2001) - 1000); };
    for (Index i = 0; i < features * n; ++i) rows.phi.data()[i] = whole_number();
    for (Index i = 0; i < 2 * n; ++i) rows.y.data()[i] = whole_number();
    for (Index i = 0; i < n && features % 2 == 0; ++i) rows.weights.push_back(std::pow(draw.below(4), 2));
    const std::vector<double> shift = {whole_number(), whole_number()};
    const Accumulator whole = add(rows, 0, n, shift, 1);
    Accumulator merged(features, 2, shift);
    merged.merge(merge_parts(draw, rows, [&] { return std::vector<double>{whole_number(), whole_number()}; }), true);
    EXPECT_TRUE(merged.to_bytes() == whole.to_bytes());
    const Accumulator direct = merge_parts(draw, rows, [&] { return shift; });
    EXPECT_TRUE(direct.to_bytes() == whole.to_bytes());
  });
}

TEST(MergingProperties, SumsAreExactToRounding) {
  for_all(300, [](Draw& draw) {
    Design design = draw_design(draw, 25, 150, 1);
    const double unit = draw.power_of_two(-250, 250);
    Rows rows{scaled(design.phi, draw.flip() ? unit : 1), scaled(design.y, draw.power_of_two(-90, 90)), {}};
    const Index n = rows.phi.cols();
    for (Index i = 0; i < n && n % 2 == 0; ++i) rows.weights.push_back(draw.uniform());
    const double size = rows.y(0, 0);
    const Accumulator merged = merge_parts(draw, rows, [&] { return std::vector<double>{size * draw.normal()}; });
    const double eps = 6 * static_cast<double>(n + 8) * DBL_EPSILON;
    const double shift = merged.shift()[0];
    const auto weight = [&](Index i) { return rows.weights.empty() ? Quad(1) : Quad(rows.weights[i]); };
    const auto expect_sum = [&](const char* name, double found, const auto& term, Quad noise) {
      Quad sum = 0, all = 0;
      for (Index i = 0; i < n; ++i) {
        sum += weight(i) * term(i);
        all += weight(i) * absolute(term(i));
      }
      EXPECT_LE(ratio(absolute(found - sum), all + noise), eps) << name;
    };
    // What converting a part's shift adds and takes away again: every shift is some multiple of `size`.
    const double most = 8 * std::abs(size);
    for (Index t = 0; t < rows.phi.rows(); ++t) {
      Quad row = 0;
      for (Index i = 0; i < n; ++i) row += weight(i) * absolute(rows.phi(t, i));
      for (Index s = 0; s <= t; ++s)
        expect_sum(
            "gram", merged.gram_lower()(t, s), [&](Index i) { return Quad(rows.phi(t, i)) * rows.phi(s, i); }, 0);
      expect_sum(
          "cross", merged.cross()(t, 0), [&](Index i) { return Quad(rows.phi(t, i)) * (Quad(rows.y(0, i)) - shift); },
          most * row);
      expect_sum(
          "feature sum", merged.feature_sums()[t], [&](Index i) { return Quad(rows.phi(t, i)); }, 0);
    }
    const Quad total = merged.weight();
    expect_sum(
        "target sum", merged.target_sums()[0], [&](Index i) { return Quad(rows.y(0, i)) - shift; }, most * total);
    expect_sum(
        "yy", merged.yy()[0], [&](Index i) { return (Quad(rows.y(0, i)) - shift) * (Quad(rows.y(0, i)) - shift); },
        Quad(most) * most * total);
  });
}

TEST(MergingProperties, TwoPartsMergeToTheSameBitsInBothOrders) {
  for_all(60, [](Draw& draw) {
    const Design design = draw_design(draw, 25, 150, 1);
    const Rows rows{design.phi, design.y, {}};
    const Index n = rows.phi.cols(), cut = draw.below(n + 1);
    const std::vector<double> shift = {draw.normal()};
    Accumulator a = add(rows, 0, cut, shift, 1);
    Accumulator b = add(rows, cut, n, shift, 2);
    const Accumulator first = a;
    a.merge(b);
    b.merge(first);
    EXPECT_TRUE(a.to_bytes() == b.to_bytes());
  });
}

TEST(MergingProperties, EncoderStatisticsOfPartsAreThoseOfTheWhole) {
  for_all(40, [](Draw& draw) {
    const Index n = draw.below(10) == 0 ? 30000 : draw.count(2, 500);  // also beyond the sample
    const RandomTable table = draw_table(draw, n, true, true);
    const Data data = memory_table(table, "y", "", 1 + draw.below(n));
    const EncodeOptions options{
        .scale = draw.one_of({Scaling::quantile, Scaling::standard, Scaling::minmax, Scaling::both}),
        .missing = draw.flip() ? MissingCells::indicate : MissingCells::impute};
    std::vector<EncoderStatistics> parts;
    Index first = 0;
    for (const Index end : draw_cuts(draw, n, 6, false)) {
      parts.push_back(EncoderStatistics::of(data.rows(first, end), options, {.threads = 2}, first));
      if (draw.flip()) parts.back() = EncoderStatistics::from_bytes(parts.back().to_bytes());
      first = end;
    }
    const EncoderStatistics all =
        merge_neighbours(draw, parts, [](EncoderStatistics& a, const EncoderStatistics& b) { a.merge(b); });
    const Encoder merged = Encoder::fit(all);
    const Encoder whole = Encoder::fit(data, options);
    EXPECT_EQ(merged.inputs().names, whole.inputs().names);
    EXPECT_EQ(merged.rows_seen(), n);
    const Encoded a = testing::encode(merged, data, true);
    const Encoded b = testing::encode(whole, data, true);
    EXPECT_EQ(a.y, b.y);
    for (Index c = 0; c < a.x.rows(); ++c)
      for (Index i = 0; i < n; ++i)
        ASSERT_NEAR(a.x(c, i), b.x(c, i), 1e-8 * (1 + std::abs(b.x(c, i)))) << whole.inputs().names[c];
  });
}

TEST(MergingProperties, LevelStatisticsOfPartsAreThoseOfTheWhole) {
  for_all(24, [](Draw& draw) {
    const Index n = 60 + draw.count(0, 400);
    RandomTable table = draw_table(draw, n, true, true);
    Texts shops;
    for (Index i = 0; i < n; ++i) shops.push_back("shop " + std::to_string(draw.below(20)));
    table.push_back({"shop", shops});
    const Data data = memory_table(table, "y");
    const Encoder encoder = Encoder::fit(EncoderStatistics::of(data, {.max_levels = 5}));
    std::vector<LevelStatistics> parts;
    Index first = 0;
    for (const Index end : draw_cuts(draw, n, 6, false)) {
      parts.push_back(LevelStatistics::of(encoder, data.rows(first, end), {}, first));
      if (draw.flip()) parts.back() = LevelStatistics::from_bytes(parts.back().to_bytes());
      first = end;
    }
    const LevelStatistics all =
        merge_neighbours(draw, parts, [](LevelStatistics& a, const LevelStatistics& b) { a.merge(b); });
    const Encoded a = testing::encode(encoder.with_effects(all), data, true);
    const Encoded b = testing::encode(encoder.with_effects(LevelStatistics::of(encoder, data)), data, true);
    for (Index c = 0; c < a.x.rows(); ++c)
      for (Index i = 0; i < n; ++i) ASSERT_NEAR(a.x(c, i), b.x(c, i), 1e-7 * (1 + std::abs(b.x(c, i)))) << c;
  });
}

TEST(MergingProperties, FitsOfPartsInAnyOrderAreTheFitOfTheWhole) {
  for_all(20, [](Draw& draw) {
    const Index n = 40 + draw.count(0, 300);
    const RandomTable table = draw_table(draw, n, true, true);
    const Data data = memory_table(table, "y");
    const FamilyOptions family{.features = draw.count(1, 40)};
    const FitOptions options{.lambda = draw.power_of_ten(-4, 0)};
    std::vector<Data> parts;
    Index first = 0;
    for (const Index end : draw_cuts(draw, n, 6, false)) {
      parts.push_back(data.rows(first, end));
      first = end;
    }
    const Plan plan = Plan::of(parts, family, options);
    std::vector<Sums> sums;
    first = 0;
    for (std::size_t k = 0; k < parts.size(); ++k)
      sums.push_back(Sums::of(plan, parts[k], {}, plan.parts()[k].first_row));
    shuffle(draw, sums);
    const Sums all = merge_neighbours(draw, sums, [](Sums& a, const Sums& b) { a.merge(b); });
    const Matrix found = solve(all).predict(data);
    const Matrix whole = fit({data, family, options}).predict(data);
    for (Index i = 0; i < n; ++i) ASSERT_NEAR(found(i, 0), whole(i, 0), 1e-7);
  });
}

}  // namespace
}  // namespace weft
