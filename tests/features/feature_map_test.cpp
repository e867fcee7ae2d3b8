#include <weft/feature_map.hpp>

#include "features/random_block.hpp"
#include "features/truth.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace weft {

using namespace detail;
namespace {

using testing::random_block;
using testing::test_name;

std::vector<double> column(const Matrix& x, Index i, const std::vector<Index>& rows) {
  std::vector<double> values;
  for (const Index j : rows) values.push_back(x(j, i));
  return values;
}

std::vector<std::string> all_families() {
  std::vector<std::string> names;
  for (const FamilyRow& row : family_table()) {
    names.push_back(row.name);
    if (row.family.projection.kind == Projection::Kind::dense) names.push_back(row.name + "/sparse:2");
  }
  names.push_back("rw-relu/axis");
  names.push_back("rw-exp-cos/axis");
  return names;
}

/// Every combination, against the definition E_w[K(u,w)h(projection of x on w)].
class EveryFamily : public ::testing::TestWithParam<std::string> {
 protected:
  static constexpr Index kInputs = 3;
  static constexpr Index kRows = 4;
  FamilyOptions options() const {
    FamilyOptions o;
    o.family = GetParam();
    o.features = 5;
    o.sigma = 0.8;
    o.gamma = 1.3;
    o.pool = 3;
    o.seed = 17;
    return o;
  }
  FeatureMap map_ = FeatureMap::draw(options(), Inputs::plain(kInputs));
  const FeaturePart& part_ = map_.parts().front();
  Matrix x_ = random_block(kInputs, kRows, 5);

  const std::vector<Index>& columns_of(Index t) const {
    return part_.centres.groups[static_cast<std::size_t>(part_.centres.group_of[static_cast<std::size_t>(t)])].columns;
  }
  bool axis() const { return part_.family.projection.kind == Projection::Kind::axis; }
  double phase(Index t) const {
    return part_.centres.phases.empty() ? 0 : part_.centres.phases[static_cast<std::size_t>(t)];
  }
  std::vector<double> centre(Index t) const {
    const double* w = part_.centres.weights.row(t);
    return {w, w + (axis() ? 1 : static_cast<Index>(columns_of(t).size()))};
  }
  // The projection of row x on weights w: ⟨w, x_J⟩, or x_j − θ.
  double project(const std::vector<double>& w, const std::vector<double>& x) const {
    if (axis()) return x[0] - w[0];
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) sum += w[j] * x[j];
    return sum;
  }
};

TEST_P(EveryFamily, MatchesMonteCarlo) {
  const Random random(23, RandomStream::generator);
  Matrix phi(5, kRows);
  map_.values(x_, phi);
  const double share = part_.family.kernel.none() ? 1 : 1 / static_cast<double>(part_.centres.groups.size());
  for (const Index t : {0, 3})
    for (const Index i : {1, 2}) {
      const std::vector<double> u = centre(t);
      const std::vector<double> x = column(x_, i, columns_of(t));
      if (part_.family.kernel.none()) continue;
      const auto estimate = truth::monte_carlo(40000, [&](std::uint64_t k) {
        std::vector<double> w;
        for (std::uint32_t j = 0; j < u.size(); ++j) w.push_back(part_.sigma * random.normal(k, j));
        return truth::kernel(part_, u.data(), w.data(), static_cast<Index>(u.size())) *
               part_.family.activation->value(project(w, x) + phase(t));
      });
      EXPECT_NEAR(phi(t, i) / share, estimate.mean, 5 * estimate.error + 1e-12);
    }
}

TEST_P(EveryFamily, MatchesQuadrature) {
  Matrix phi(5, kRows);
  map_.values(x_, phi);
  const double groups = static_cast<double>(part_.centres.groups.size());
  for (Index t = 0; t < 5; ++t)
    for (Index i = 0; i < kRows; ++i) {
      const std::vector<double> u = centre(t);
      const std::vector<double> x = column(x_, i, columns_of(t));
      double expected = 0;
      if (part_.family.kernel.none()) {  // nothing to integrate: the activation itself
        EXPECT_NEAR(phi(t, i), part_.family.amplitude * part_.family.activation->value(project(u, x) + phase(t)),
                    2e-14);
        continue;
      }
      if (axis()) {
        const auto f = [&](double theta) {
          return truth::normal_pdf(theta, part_.sigma) *
                 truth::kernel_1d(part_.family.kernel.kind(), u[0], theta, part_.gamma) *
                 part_.family.activation->value(x[0] - theta + phase(t));
        };
        for (int k = 0; k < 16; ++k)
          expected += truth::integrate(f, -14 + (x[0] + 14) * k / 16, -14 + (x[0] + 14) * (k + 1) / 16) +
                      truth::integrate(f, x[0] + (14 - x[0]) * k / 16, x[0] + (14 - x[0]) * (k + 1) / 16);
      } else {
        expected = truth::dense_feature(part_, u, x, phase(t));
      }
      EXPECT_NEAR(phi(t, i), expected / groups, 1e-11 * (1 + std::abs(expected))) << "t " << t << " i " << i;
    }
}

TEST_P(EveryFamily, SinglePrecisionIsClose) {
  Matrix phi(5, kRows);
  BasicMatrix<float> single(5, kRows);
  map_.smoothings(x_, phi);
  map_.smoothings(x_, single);
  for (Index t = 0; t < 5; ++t)
    for (Index i = 0; i < kRows; ++i) {
      if (GetParam().find("sign") != std::string::npos && part_.family.kernel.none()) continue;  // jumps
      EXPECT_NEAR(single(t, i), phi(t, i), 1e-5 * (1 + std::abs(phi(t, i))));
    }
}

// Vectors run along the features of a single row.
TEST_P(EveryFamily, OfASingleRowAreThoseOfABlock) {
  FamilyOptions many = options();
  many.features = 300;
  std::vector<Index> kept;
  std::vector<double> scales;
  for (Index t = 0; t < 300; t += t % 7 == 0 ? 2 : 1) {
    kept.push_back(t);
    scales.push_back(1 + 0.01 * static_cast<double>(t));
  }
  const FeatureMap map = FeatureMap::draw(many, Inputs::plain(kInputs)).subset(kept, scales);
  Matrix block(map.features(), kRows), one(map.features(), 1);
  BasicMatrix<float> single(map.features(), 1);
  double largest = 1;  // of the weights: rff-laplace has heavy tails
  for (Index t = 0; t < map.features(); ++t)
    for (Index j = 0; j < map.parts()[0].centres.weights.cols(); ++j)
      largest = std::max(largest, std::abs(map.parts()[0].centres.weights(t, j)));
  const bool jumps = part_.family.kernel.none() && !part_.family.activation->kinks().empty();
  map.smoothings(x_, block);
  for (Index i = 0; i < kRows; ++i) {
    map.smoothings(x_.view().col_range(i, 1), one);
    map.smoothings(x_.view().col_range(i, 1), single);
    for (Index t = 0; t < map.features(); ++t) {
      ASSERT_NEAR(one(t, 0), block(t, i), 1e-12 * (1 + std::abs(block(t, i)))) << t;
      if (jumps) continue;
      ASSERT_NEAR(single(t, 0), block(t, i), 2e-5 * largest * (1 + std::abs(block(t, i)))) << t;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, EveryFamily, ::testing::ValuesIn(all_families()),
                         [](const auto& tested) { return test_name(tested.param); });

TEST(FeatureMap, CentresDoNotDependOnCountThreadsOrCompany) {
  FamilyOptions options;
  options.family = "rw-relu/sparse:2";
  options.features = 400;
  const Inputs inputs = Inputs::plain(6, true);
  const FeatureMap many = FeatureMap::draw(options, inputs);
  options.features = 100;
  const FeatureMap few = FeatureMap::draw(options, inputs);
  for (Index t = 0; t < 100; ++t)
    for (Index j = 0; j < 3; ++j)
      EXPECT_EQ(many.parts()[0].centres.weights(t, j), few.parts()[0].centres.weights(t, j));
  options.sigma = 2;
  const FeatureMap wide = FeatureMap::draw(options, inputs);
  EXPECT_EQ(wide.parts()[0].centres.weights(7, 1), 2 * few.parts()[0].centres.weights(7, 1));
  options.seed = 2;
  EXPECT_NE(FeatureMap::draw(options, inputs).parts()[0].centres.weights(7, 1), wide.parts()[0].centres.weights(7, 1));
}

TEST(FeatureMap, BlocksAndThreadsChangeNoBit) {
  FamilyOptions options;
  options.family = "rw-sign:130+rw-stumps:50+rw-cos/sparse:3:70";
  const Index n = 9, rows = 700;
  const FeatureMap map = FeatureMap::draw(options, Inputs::plain(n));
  const Matrix x = random_block(n, rows, 2);
  Matrix whole(map.features(), rows), threaded(map.features(), rows), pieces(map.features(), rows);
  map.smoothings(x, whole, {.threads = 1});
  map.smoothings(x, threaded, {.threads = 3});
  // A block may start anywhere; GEMM rounds alike for the same strip shape, so cut at strips.
  for (Index first = 0; first < rows; first += 256) {
    const Index count = std::min<Index>(256, rows - first);
    map.smoothings(x.view().col_range(first, count), pieces.view().col_range(first, count), {.threads = 2});
  }
  for (Index t = 0; t < map.features(); ++t)
    for (Index i = 0; i < rows; ++i) {
      ASSERT_EQ(whole(t, i), threaded(t, i));
      ASSERT_EQ(whole(t, i), pieces(t, i));
    }
}

// Threads share the features of few rows.
TEST(FeatureMap, MoreFeaturesThanOneThreadTakesAreThoseOfSmallerMaps) {
  FamilyOptions options;
  options.family = "rw-relu:9000+rw-cos/sparse:3:5000+rw-stumps:4500";
  const Index n = 6, rows = 3;
  const FeatureMap map = FeatureMap::draw(options, Inputs::plain(n));
  const Matrix x = random_block(n, rows, 2);
  Matrix one(map.features(), rows), three(map.features(), rows);
  map.smoothings(x, one, {.threads = 1});
  map.smoothings(x, three, {.threads = 3});
  std::vector<Index> some;
  for (Index t = 0; t < map.features(); t += 37) some.push_back(t);
  Matrix few(static_cast<Index>(some.size()), rows);
  map.subset(some).smoothings(x, few);
  for (Index t = 0; t < map.features(); ++t)
    for (Index i = 0; i < rows; ++i) {
      ASSERT_EQ(one(t, i), three(t, i)) << t;
      if (t % 37 == 0) {
        ASSERT_NEAR(one(t, i), few(t / 37, i), 1e-12) << t;
      }
    }
}

TEST(FeatureMap, SeveralThreadsMayUseOneMap) {
  FamilyOptions options;
  options.features = 200;
  const FeatureMap map = FeatureMap::draw(options, Inputs::plain(5));
  const Matrix x = random_block(5, 600, 3);
  Matrix expected(200, 600);
  map.smoothings(x, expected);
  std::vector<Matrix> results(4, Matrix(200, 600));
  std::vector<std::thread> threads;
  for (Matrix& result : results) threads.emplace_back([&] { map.smoothings(x, result, {.threads = 2}); });
  for (std::thread& thread : threads) thread.join();
  for (const Matrix& result : results)
    EXPECT_TRUE(std::equal(result.data(), result.data() + 200 * 600, expected.data()));
}

TEST(FeatureMap, AutoSuitsEveryNumberOfVariablesAndFeatures) {
  const auto name = [](Index variables, Index features) {
    return resolve_family({.features = features}, variables).family;
  };
  EXPECT_EQ(name(10, 1000), "rw-stumps:300+rw-relu/sparse:3");
  EXPECT_EQ(name(2, 10), "rw-stumps:3+rw-relu/sparse:2");
  EXPECT_EQ(name(1, 3), "rw-relu/sparse:1");
  EXPECT_EQ(resolve_family({.family = "rks-cos"}, 2).family, "rks-cos");
  for (const Index variables : {1, 2, 3, 40})
    for (const Index features : {1, 9, 10, 101}) {
      const FeatureMap map = FeatureMap::draw({.features = features}, Inputs::plain(variables, true));
      EXPECT_EQ(map.features(), features) << variables << " variables";
    }
  EXPECT_THROW(FeatureMap::draw({}, Inputs::plain(0, true)), Error);
}

TEST(FeatureMap, ZeroRowsGiveTheSmoothingAtZero) {
  for (const auto& [family, value] :
       {std::pair{"rw-sign", 0.0}, {"rw-relu", 0.0}, {"rw-cos", 1.0}, {"rks-sign", 0.0}}) {
    FamilyOptions options;
    options.family = family;
    options.features = 3;
    const FeatureMap map = FeatureMap::draw(options, Inputs::plain(4));
    const Matrix x(4, 1);
    Matrix phi(3, 1);
    map.smoothings(x, phi);
    BasicMatrix<float> single(3, 1);
    map.smoothings(x, single);
    for (Index t = 0; t < 3; ++t) EXPECT_EQ(phi(t, 0), value) << family;
    for (Index t = 0; t < 3; ++t) EXPECT_EQ(single(t, 0), static_cast<float>(value)) << family;
  }
}

TEST(FeatureMap, HighDimensionStaysFinite) {
  for (const FamilyRow& row : family_table()) {
    FamilyOptions options;
    options.family = row.name;
    options.features = 20;
    const FeatureMap map = FeatureMap::draw(options, Inputs::plain(784, true));
    const Matrix x = random_block(785, 10, 1);
    Matrix phi(20, 10);
    map.values(x, phi);
    for (Index t = 0; t < 20; ++t)
      for (Index i = 0; i < 10; ++i) ASSERT_TRUE(std::isfinite(phi(t, i))) << row.name;
    const Matrix gram = map.gram();
    for (Index s = 0; s < 20; ++s)
      for (Index t = 0; t < 20; ++t) ASSERT_TRUE(std::isfinite(gram(s, t))) << row.name;
  }
}

TEST(FeatureMap, VanishingModelNamesAGammaThatWorks) {
  FamilyOptions options;
  options.family = "rw-sign";
  options.features = 10;
  options.gamma = 0.1;
  const FeatureMap map = FeatureMap::draw(options, Inputs::plain(784));
  const Matrix x = random_block(784, 2, 1);
  Matrix phi(10, 2);
  std::string hint;
  try {
    map.values(x, phi);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.field(), "gamma");
    hint = error.hint();
  }
  // Follow the advice: "use gamma = 33.6".
  options.gamma = std::stod(hint.substr(hint.find('=') + 1));
  FeatureMap::draw(options, Inputs::plain(784)).values(x, phi);
  EXPECT_GT(std::abs(phi(0, 0)), 1e-10);
  // The scaled form never vanishes, and its Gram matrix is finite.
  map.smoothings(x, phi);
  EXPECT_GT(std::abs(phi(0, 0)), 0);
  EXPECT_TRUE(std::isfinite(map.scaled_gram(0)(0, 0)));
}

TEST(FeatureMap, OverflowingUnionNamesThePartThatOverflows) {
  const FeatureMap map = FeatureMap::draw({.family = "rks-sign:5+rw-exp-sign:5", .gamma = 0.01}, Inputs::plain(50));
  Matrix phi(10, 1);
  try {
    map.values(random_block(50, 1, 1), phi);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("with gamma = 0.01 features overflow"), std::string::npos) << error.what();
  }
}

TEST(FeatureMap, ProjectionsOfOneDrawServeEverySigmaAndGamma) {
  FamilyOptions options;
  options.family = "rw-stumps:5+rks-cos:4+rw-relu:6+rw-exp-sign/sparse:2:5";
  options.pool = 3;
  const FeatureMap base = FeatureMap::draw(options, Inputs::plain(4));
  const Matrix x = random_block(4, 301, 5);  // more rows than a strip
  Matrix projections(20, 301);
  base.project(x, projections.view());
  options.sigma = 0.37;
  options.gamma = 0.9;
  const FeatureMap other = FeatureMap::draw(options, Inputs::plain(4));
  Matrix shared(20, 301);
  Matrix direct(20, 301);
  other.smooth_projected(x, projections, 1, shared.view());
  other.smoothings(x, direct.view());
  for (Index t = 0; t < 20; ++t)
    for (Index i = 0; i < 301; ++i) EXPECT_NEAR(shared(t, i), direct(t, i), 1e-14 * (1 + std::abs(direct(t, i))));
}

TEST(FeatureMap, StructuredProjectionsAreSharedToo) {
  FamilyOptions options;
  options.family = "rff-rbf";
  options.features = 20;
  options.sampling = Sampling::structured;
  const FeatureMap base = FeatureMap::draw(options, Inputs::plain(5));
  const Matrix x = random_block(5, 30, 5);
  Matrix projections(20, 30);
  base.project(x, projections.view());
  options.sigma = 0.37;
  const FeatureMap other = FeatureMap::draw(options, Inputs::plain(5));
  Matrix shared(20, 30);
  Matrix direct(20, 30);
  other.smooth_projected(x, projections, 1, shared.view());
  other.smoothings(x, direct.view());
  for (Index t = 0; t < 20; ++t)
    for (Index i = 0; i < 30; ++i) EXPECT_NEAR(shared(t, i), direct(t, i), 1e-13);
}

TEST(FeatureMap, SubsetKeepsFeaturesGramAndAmplitudes) {
  FamilyOptions options;
  options.family = "rw-stumps:5+rks-cos:4+rw-relu/sparse:2:6";
  options.pool = 3;
  const FeatureMap map = FeatureMap::draw(options, Inputs::plain(4));
  const std::vector<Index> positions = {0, 3, 9, 11, 14};  // nothing of the cosines at 5 … 8
  const FeatureMap some = map.subset(positions);
  ASSERT_EQ(some.parts().size(), 2U);
  const Matrix x = random_block(4, 7, 5);
  Matrix all(15, 7);
  Matrix few(5, 7);
  map.smoothings(x, all.view());
  some.smoothings(x, few.view());
  const Matrix gram = map.scaled_gram(0);
  const Matrix some_gram = some.scaled_gram(0);
  for (Index k = 0; k < 5; ++k) {
    const Index t = positions[static_cast<std::size_t>(k)];
    EXPECT_EQ(some.log_amplitudes()[static_cast<std::size_t>(k)], map.log_amplitudes()[static_cast<std::size_t>(t)]);
    for (Index i = 0; i < 7; ++i) EXPECT_EQ(few(k, i), all(t, i));
    for (Index l = 0; l < 5; ++l) EXPECT_EQ(some_gram(k, l), gram(t, positions[static_cast<std::size_t>(l)]));
  }
}

TEST(FeatureMap, TableRoundTrips) {
  for (const char* family : {"rw-relu", "rw-stumps", "rw-sign/sparse:2", "rks-cos", "rks-cos/sparse:2"}) {
    FamilyOptions options;
    options.family = family;
    options.features = 30;
    options.pool = 4;
    const Inputs inputs = Inputs::plain(5);
    const FeatureMap map = FeatureMap::draw(options, inputs);
    const Matrix table = map.table();
    EXPECT_EQ(static_cast<std::size_t>(table.cols()), map.table_columns().size());
    const FeatureMap again = FeatureMap::from_table(options, inputs, table);
    const Matrix x = random_block(5, 8, 6);
    Matrix phi(30, 8), phi_again(30, 8);
    map.values(x, phi);
    again.values(x, phi_again);
    EXPECT_TRUE(std::equal(phi.data(), phi.data() + 240, phi_again.data())) << family;
  }
}

TEST(FeatureMap, SparseDrawsWholeVariablesAndTheBias) {
  Inputs inputs = Inputs::plain(2, false);  // x0, x1, then a three-level category and the bias
  inputs.names = {"x0", "x1", "c=a", "c=b", "c=c", "(bias)"};
  inputs.variable_of = {0, 1, 2, 2, 2, -1};
  inputs.bias = true;
  FamilyOptions options;
  options.family = "rw-relu/sparse:2";
  options.pool = 50;
  const FeatureMap map = FeatureMap::draw(options, inputs);
  const auto& groups = map.parts()[0].centres.groups;
  ASSERT_EQ(groups.size(), 3u);  // all pairs of three variables
  for (const ColumnGroup& group : groups) {
    EXPECT_EQ(group.columns.back(), 5);
    EXPECT_TRUE(group.columns.size() == 3 || group.columns.size() == 5);
  }
}

TEST(FeatureMap, MistakesAreNamed) {
  const auto place_of = [](auto&& call) {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_FALSE(error.hint().empty());
      return error.field();
    }
    return std::string("no error");
  };
  const Inputs inputs = Inputs::plain(3);
  const auto draw = [&](const FamilyOptions& options) { return [=] { FeatureMap::draw(options, inputs); }; };
  EXPECT_EQ(place_of(draw({.sigma = 0})), "sigma");
  EXPECT_EQ(place_of(draw({.sigma = -1})), "sigma");
  EXPECT_EQ(place_of(draw({.sigma = std::nan("")})), "sigma");
  EXPECT_EQ(place_of(draw({.gamma = 0.0})), "gamma");
  EXPECT_EQ(place_of(draw({.theta = 1.5})), "theta");
  EXPECT_EQ(place_of(draw({.features = 0})), "features");
  EXPECT_EQ(place_of(draw({.gamma = 1.0, .theta = 0.5})), "gamma");
  EXPECT_EQ(place_of(draw({.family = "rw-relu/sparse:4"})), "family");
  EXPECT_EQ(place_of(draw({.family = "rw-relu:5+rw-sign", .features = 5})), "features");
  const Matrix two(1, 2), five(1, 5);
  EXPECT_EQ(place_of([&] { FeatureMap::from_table({.family = "rw-relu"}, inputs, two); }), "centres");
  EXPECT_EQ(place_of([&] { FeatureMap::from_table({.family = "rw-relu"}, inputs, five); }), "centres");
  // One column too many is a phase only where the family has one.
  const Matrix four(1, 4);
  EXPECT_EQ(place_of([&] { FeatureMap::from_table({.family = "rw-relu"}, inputs, four); }), "centres");
  EXPECT_EQ(FeatureMap::from_table({.family = "rks-cos"}, inputs, four).features(), 1);
  EXPECT_EQ(FeatureMap::from_table({.family = "rw-relu", .phase = 0.5}, inputs, four).features(), 1);
  Matrix stump(1, 2);
  stump(0, 0) = 3;
  EXPECT_EQ(place_of([&] { FeatureMap::from_table({.family = "rw-stumps"}, inputs, stump); }), "centres");
  FamilyOptions narrow{.family = "rw-exp-sign", .gamma = 0.9};
  EXPECT_FALSE(FeatureMap::draw(narrow, inputs).constants(std::nullopt).kappa.has_value());
}

TEST(FeatureMap, RowFeaturesAreTheFeaturesTransposed) {
  for (const char* family : {"rw-stumps:5+rw-relu/sparse:2:7", "rff-rbf", "rw-exp-relu"})
    for (const Index count : {1, 12, 301}) {
      if (count != 12 && std::string(family).find(':') != std::string::npos) continue;
      FamilyOptions options;
      options.family = family;
      options.features = count;
      if (options.family == "rw-stumps:5+rw-relu/sparse:2:7") options.gamma = 1.3;
      const FeatureMap map = FeatureMap::draw(options, Inputs::plain(3));
      const Matrix x = random_block(3, 1501, 5);
      Matrix phi(count, 1501), out(1501, count), serial(1501, count);
      weft::Run one;
      one.threads = 1;
      map.values(x, phi);
      map.row_values(x, out, 0.5);
      map.row_values(x, serial, 0.5, one);
      for (Index i = 0; i < 1501; ++i)
        for (Index t = 0; t < count; ++t) {
          ASSERT_NEAR(out(i, t), 0.5 * phi(t, i), 1e-13 * std::abs(phi(t, i))) << family << ' ' << i << ' ' << t;
          ASSERT_EQ(out(i, t), serial(i, t));
        }
      EXPECT_THROW(map.row_values(x, phi), Error);
    }
}

}  // namespace
}  // namespace weft
