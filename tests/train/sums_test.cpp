#include <weft/sums.hpp>

#include "core/random.hpp"
#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace weft::testing {

using namespace detail;
namespace {

/// Rows that a CSV file would have: numbers, a text, missing cells.
struct Rows {
  Matrix x, y, weights;

  Rows(Index rows, Index targets, bool weighted, bool classes = false)
      : x(rows, 4), y(rows, targets), weights(rows, weighted ? 1 : 0) {
    const Random random(11, RandomStream::generator);
    for (Index i = 0; i < rows; ++i) {
      const auto at = static_cast<std::uint64_t>(i);
      for (Index j = 0; j < 4; ++j) x(i, j) = random.normal(at, static_cast<std::uint32_t>(j));
      if (i % 17 == 3) x(i, 3) = NAN;
      for (Index k = 0; k < targets; ++k) {
        const double value =
            std::sin(x(i, 0) + static_cast<double>(k)) + x(i, 1) * x(i, 2) + 0.1 * random.normal(at, 9);
        y(i, k) = classes ? (value > 0.5 ? 2 : value > -0.5 ? 1 : 0) : 50 + value;
      }
      if (weighted) weights(i, 0) = 0.5 + random.uniform(at, 10);
    }
  }
  Data range(Index first, Index count) const {
    return array(x.view().row_range(first, count), y.view().row_range(first, count),
                 weights.cols() == 0 ? View<const double>{} : weights.view().row_range(first, count));
  }
  Data all() const { return range(0, x.rows()); }
  std::vector<Data> cut(const std::vector<Index>& sizes) const {
    std::vector<Data> parts;
    Index first = 0;
    for (const Index size : sizes) {
      parts.push_back(range(first, size));
      first += size;
    }
    return parts;
  }
};

FamilyOptions few_features() {
  FamilyOptions options;
  options.features = 60;
  return options;
}

Sums merged(const Plan& plan, const std::vector<Data>& parts, const std::vector<std::size_t>& order) {
  Sums sums = Sums::of(plan, parts[order.front()]);
  for (std::size_t k = 1; k < order.size(); ++k) sums.merge(Sums::of(plan, parts[order[k]]));
  return sums;
}

void expect_close(const Matrix& a, const Matrix& b, double tolerance) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index k = 0; k < a.cols(); ++k) ASSERT_NEAR(a(i, k), b(i, k), tolerance) << i << " " << k;
}

void expect_same_bits(const Matrix& a, const Matrix& b) {
  ASSERT_EQ(a.rows(), b.rows());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index k = 0; k < a.cols(); ++k) ASSERT_EQ(a(i, k), b(i, k)) << i << " " << k;
}

Error error_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {ErrorKind::data, "", "", ""};
}

const std::vector<Index> kSizes = {1500, 1, 2400, 1099};

TEST(Sums, AreTheFitOfTheWholeTable) {
  for (const bool weighted : {false, true})
    for (const bool intercept : {true, false})
      for (const std::optional<double> lambda : {std::optional<double>(1e-3), std::optional<double>()}) {
        FitOptions options;
        options.lambda = lambda;
        options.intercept = intercept;
        const Rows rows(5000, 2, weighted);
        const std::vector<Data> parts = rows.cut(kSizes);
        const Plan plan = Plan::of(parts, few_features(), options);
        EXPECT_EQ(plan.rows(), 5000);
        const Model model = solve(merged(plan, parts, {0, 1, 2, 3}));
        const Model whole = fit({rows.all(), few_features(), options});
        expect_close(model.predict(rows.all()), whole.predict(rows.all()), 1e-8);
        EXPECT_NEAR(*model.parts().report.number("lambda") / *whole.parts().report.number("lambda"), 1, 1e-12);
        // Intervals come from the same rows, predicted without themselves.
        ASSERT_EQ(model.parts().conformity.empty(), whole.parts().conformity.empty());
      }
}

TEST(Sums, OnePartGivesTheSameBits) {
  for (const bool classes : {false, true}) {
    const Rows rows(5000, 1, true, classes);
    const std::vector<Data> parts = {rows.all()};
    const Plan plan = Plan::from_bytes(Plan::of(parts, few_features(), {}).to_bytes());
    const Model model = solve(Sums::from_bytes(Sums::of(plan, rows.all()).to_bytes()));
    const Model whole = fit({rows.all(), few_features()});
    expect_same_bits(model.predict(rows.all()), whole.predict(rows.all()));
    if (classes) expect_same_bits(model.probabilities(rows.all()), whole.probabilities(rows.all()));
    EXPECT_FALSE(model.parts().conformity.empty());
  }
}

TEST(Sums, ClassesHaveProbabilitiesAndMayBeBalanced) {
  for (const ClassWeighting weighting : {ClassWeighting::none, ClassWeighting::balanced}) {
    FitOptions options;
    options.class_weights = weighting;
    const Rows rows(4000, 1, false, true);
    const std::vector<Data> parts = rows.cut({1000, 3000});
    const Plan plan = Plan::of(parts, few_features(), options);
    const Model model = solve(merged(plan, parts, {1, 0}));
    const Model whole = fit({rows.all(), few_features(), options});
    expect_close(model.probabilities(rows.all()), whole.probabilities(rows.all()), 1e-8);
  }
}

TEST(Sums, TheLassoAndLandmarksWork) {
  const Rows rows(3000, 1, false);
  const std::vector<Data> parts = rows.cut({1000, 2000});
  const auto compare = [&](const FamilyOptions& family, const FitOptions& options, double tolerance) {
    const Plan plan = Plan::of(parts, family, options);
    const Model whole = fit({rows.all(), family, options});
    expect_close(solve(merged(plan, parts, {0, 1})).predict(rows.all()), whole.predict(rows.all()), tolerance);
  };
  compare(few_features(), {.method = LassoOptions{}}, 1e-6);
  compare(few_features(), {.method = LassoOptions{.nonzeros = 10}}, 1e-6);
  // The kernel matrix of smooth kernels is ill-conditioned, and more so where the chosen λ is small.
  const KernelRidgeOptions rbf{.landmarks = 80};
  const KernelRidgeOptions rbf_by_leverage{.landmarks = 80, .landmark_sampling = LandmarkSampling::leverage};
  const KernelRidgeOptions laplace{
      .kernel = "laplace", .bandwidth = "median", .landmarks = 80, .landmark_sampling = LandmarkSampling::pivoted};
  compare({}, {.method = laplace, .lambda = 1e-3}, 1e-9);
  for (const KernelRidgeOptions& own : {rbf, rbf_by_leverage, laplace}) {
    compare({}, {.method = own, .lambda = 1e-3}, 1e-6);
    compare({}, {.method = own}, 1e-4);
  }
  FamilyOptions chosen = few_features();
  chosen.sampling = Sampling::leverage;
  compare(chosen, {}, 1e-8);
}

TEST(Sums, LambdaMayBeGivenLater) {
  const Rows rows(3000, 1, false);
  const std::vector<Data> parts = rows.cut({1000, 2000});
  FitOptions given;
  given.lambda = 0.01;
  const Sums sums = merged(Plan::of(parts, few_features(), {}), parts, {0, 1});
  expect_close(solve(sums, {.lambda = 0.01}).predict(rows.all()),
               fit({rows.all(), few_features(), given}).predict(rows.all()), 1e-8);
}

TEST(Sums, TheOrderOfMergingChangesRoundingAlone) {
  const Rows rows(5000, 1, false, true);
  const std::vector<Data> parts = rows.cut(kSizes);
  const Plan plan = Plan::of(parts, few_features(), {});
  const Matrix in_order = solve(merged(plan, parts, {0, 1, 2, 3})).probabilities(rows.all());
  expect_same_bits(solve(merged(plan, parts, {0, 1, 2, 3})).probabilities(rows.all()), in_order);
  for (const std::vector<std::size_t>& order : {std::vector<std::size_t>{3, 1, 0, 2}, {1, 2, 3, 0}})
    expect_close(solve(merged(plan, parts, order)).probabilities(rows.all()), in_order, 1e-9);
  Sums halves = merged(plan, parts, {3, 0});
  halves.merge(merged(plan, parts, {2, 1}));
  expect_close(solve(halves).probabilities(rows.all()), in_order, 1e-9);
}

TEST(Sums, PlansOfStatisticsAreThoseOfTables) {
  const Rows rows(5000, 1, false);
  const std::vector<Data> parts = rows.cut(kSizes);
  PlanRequest request{.statistics = {}, .family = few_features()};
  Index first = 0;
  for (const Data& part : parts) {
    request.statistics.push_back(
        PartStatistics::from_bytes(PartStatistics::of(part, EncodeOptions{}, {}, first).to_bytes()));
    first += request.statistics.back().rows();
  }
  std::swap(request.statistics[0], request.statistics[2]);
  EXPECT_EQ(Plan::of(request).number(), Plan::of(parts, few_features(), {}).number());
  request.statistics.erase(request.statistics.begin() + 1);
  EXPECT_NE(error_of([&] { Plan::of(request); }).message().find("in no part"), std::string::npos);
  request.statistics.push_back(request.statistics.front());
  EXPECT_EQ(error_of([&] { Plan::of(request); }).kind(), ErrorKind::data);
}

TEST(Sums, LandmarksCanBeChosenByTheRowsDrawn) {
  const Rows rows(5000, 1, false);
  const std::vector<Data> parts = rows.cut(kSizes);
  const FitOptions options{.method = KernelRidgeOptions{.landmarks = 50}};
  PlanRequest request{.statistics = {}, .fit = options};
  Index first = 0;
  for (const Data& part : parts) {
    request.statistics.push_back(PartStatistics::of(part, EncodeOptions{}, {}, first));
    first += request.statistics.back().rows();
  }
  EXPECT_EQ(error_of([&] { Plan::of(request); }).kind(), ErrorKind::option) << "statistics have no rows";
  const std::vector<Index> numbers = rows_to_draw(request);
  std::vector<bool> drawn(5000);
  for (const Index row : numbers) drawn[static_cast<std::size_t>(row)] = true;
  request.drawn =
      DrawnRows{select_rows(rows.all(), [&](Index row) { return drawn[static_cast<std::size_t>(row)]; }), numbers};
  EXPECT_EQ(Plan::of(request).number(), Plan::of(parts, {}, options).number());
}

TEST(Sums, WhatDoesNotBelongTogetherIsRefused) {
  const Rows rows(3000, 1, false);
  const std::vector<Data> parts = rows.cut({1000, 2000});
  const Plan plan = Plan::of(parts, few_features(), {});
  Sums sums = Sums::of(plan, parts[0]);
  EXPECT_NE(error_of([&] { sums.merge(Sums::of(plan, parts[0])); }).message().find("in both"), std::string::npos);
  FitOptions other;
  other.lambda_holdout = 0.3;
  const Sums foreign = Sums::of(Plan::of(parts, few_features(), other), parts[1]);
  EXPECT_NE(error_of([&] { sums.merge(foreign); }).message().find("another plan"), std::string::npos);
  EXPECT_EQ(sums.rows(), 1000) << "what failed has left nothing behind";
  EXPECT_NE(error_of([&] { Sums::of(plan, rows.range(0, 999)); }).message().find("999 now"), std::string::npos);
  Rows changed(3000, 1, false);
  changed.x(500, 1) += 1;
  EXPECT_THROW(Sums::of(plan, changed.range(0, 1000)), Error);
  EXPECT_THROW(Plan::of({parts[0], parts[1], parts[0]}, few_features(), {}), Error);
}

TEST(Sums, MissingPartsAreNamed) {
  const Rows rows(3000, 1, false);
  const std::vector<Data> parts = rows.cut({1000, 2000});
  const Sums sums = Sums::of(Plan::of(parts, few_features(), {}), parts[1]);
  EXPECT_EQ(sums.missing().size(), 1u);
  EXPECT_NE(error_of([&] { solve(sums); }).message().find("1 of the plan's 2 parts"), std::string::npos);
  const Model model = solve(sums, {.allow_missing = true});
  ASSERT_FALSE(model.parts().report.warnings.empty());
  EXPECT_NE(model.parts().report.warnings.back().find("2000 of 3000 rows"), std::string::npos);
}

TEST(Sums, WhatSumsDoNotDetermineIsRefusedFirst) {
  const Rows rows(300, 1, false);
  const auto refused = [&](const FamilyOptions& family, const FitOptions& options, const char* option) {
    const Error error = error_of([&] { Plan::of({rows.all()}, family, options); });
    EXPECT_EQ(error.kind(), ErrorKind::option);
    EXPECT_NE(error.place().find(option), std::string::npos) << error.what();
    EXPECT_FALSE(error.hint().empty());
  };
  refused({}, {.method = PortfolioOptions{}}, "fit");
  refused({}, {.method = LogisticOptions{}}, "fit");
  refused({}, {.method = LeastSquaresOptions{.calibrate = true}}, "calibrate");
  refused({}, {.method = KernelRidgeOptions{}}, "landmarks");
  refused({}, {.method = KernelRidgeOptions{.landmarks = 20, .solver = LandmarkSolver::cg}}, "solver");
  refused({}, {.method = LassoOptions{}, .intervals = true}, "intervals");
}

TEST(Sums, ManyCategoriesArePlannedFromTheTables) {
  TemporaryFolder folder;
  const auto write = [&](const std::string& name, int first, int count) {
    std::ofstream file(folder.file(name));
    file << "shop,x,y\n";
    for (int i = first; i < first + count; ++i)
      file << "s" << i * 7919 % 80 << ',' << i % 13 << ',' << i * 7919 % 80 % 9 + 0.1 * (i % 13) << '\n';
  };
  write("a.csv", 0, 700);
  write("b.csv", 700, 900);
  write("all.csv", 0, 1600);
  const ReadOptions target{.target = "y"};
  const std::vector<Data> parts = {read(folder.file("a.csv"), target), read(folder.file("b.csv"), target)};
  const Data all = read(folder.file("all.csv"), target);
  const Plan plan = Plan::of(parts, few_features(), {});
  ASSERT_EQ(plan.encoder().many_levels().size(), 1u);
  const Model model = solve(merged(plan, parts, {0, 1}));
  expect_close(model.predict(all), fit({all, few_features()}).predict(all), 1e-7);
  PlanRequest request{.statistics = {PartStatistics::of(all, {})}, .family = few_features()};
  EXPECT_NE(error_of([&] { Plan::of(request); }).place().find("max_levels"), std::string::npos);
}

TEST(Sums, EmptyPartsAndTextsThatLookLikeNumbersDoNoHarm) {
  TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder.file(name)) << text;
  };
  std::string first, second;
  for (int i = 0; i < 60; ++i) {
    first += fmt::format("{},{},{}\n", i % 3 == 0 ? "x" : i % 3 == 1 ? "7" : "8", i % 11, i % 7 + i % 3);
    second += fmt::format("{},{},{}\n", i % 2 == 0 ? 7 : 8, i % 5, i % 7);
  }
  write("a.csv", "code,n,y\n" + first);
  write("b.csv", "code,n,y\n" + second);
  write("all.csv", "code,n,y\n" + first + second);
  const ReadOptions target{.target = "y"};
  std::vector<Data> parts;
  for (const char* name : {"a.csv", "b.csv"}) parts.push_back(read(folder.file(name), target));
  parts.insert(parts.begin() + 1, parts.front().rows(0, 0));
  EncodeOptions encode;
  encode.task = TargetKind::regression;
  FitOptions options;
  options.lambda = 1e-3;
  const Plan plan = Plan::of(parts, few_features(), options, encode);
  EXPECT_EQ(plan.parts().size(), 2u);
  const Data all = read(folder.file("all.csv"), target);
  const Model whole = fit({all, few_features(), options, encode});
  expect_close(solve(merged(plan, parts, {1, 2, 1, 0})).predict(all), whole.predict(all), 1e-8);
  EXPECT_THROW(solve(Sums::of(plan, parts[1]), {.allow_missing = true}), Error) << "no rows";
}

TEST(Sums, DamagedFilesAreRefusedByName) {
  const Rows rows(600, 1, false);
  FamilyOptions family = few_features();
  family.features = 5;
  const Plan plan = Plan::of({rows.all()}, family, {});
  TemporaryFolder folder;
  plan.save(folder.file("p.weft"));
  Sums::of(plan, rows.all()).save(folder.file("s.sums"));
  PartStatistics::of(rows.all(), {}).save(folder.file("t.stats"));
  const auto bytes_of = [&](const std::string& name) {
    std::ifstream file(folder.file(name), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const auto refused = [&](const std::string& bytes, const auto& load) {
    std::ofstream(folder.file("bad"), std::ios::binary) << bytes;
    const Error error = error_of([&] { load(folder.file("bad")); });
    EXPECT_EQ(error.kind(), ErrorKind::model);
    EXPECT_EQ(error.place(), folder.file("bad"));
    EXPECT_FALSE(error.hint().empty());
  };
  const auto check = [&](const std::string& name, const auto& load) {
    const std::string good = bytes_of(name);
    load(folder.file(name));
    for (std::size_t k = 0; k < good.size(); k += 1 + good.size() / 97) {
      refused(good.substr(0, k), load);
      std::string flipped = good;
      flipped[k] = static_cast<char>(flipped[k] ^ 16);
      refused(flipped, load);
    }
    for (const char* other : {"p.weft", "s.sums", "t.stats"})
      if (other != name) refused(bytes_of(other), load);
  };
  check("p.weft", [](const std::string& path) { Plan::load(path); });
  check("s.sums", [](const std::string& path) { Sums::load(path); });
  check("t.stats", [](const std::string& path) { PartStatistics::load(path); });
}

}  // namespace
}  // namespace weft::testing
