#include <weft/feature_map.hpp>

#include "cli/run_weft.hpp"

#include <cmath>

namespace weft::testing {

namespace {

constexpr Index kRows = 7;
constexpr Index kInputs = 3;

/// Values in [-1, 1) that no shorter decimal has.
double value(Index i, Index j) {
  const double wave = 0.7548776662466927 * static_cast<double>(i + 1) + 0.5698402909980532 * static_cast<double>(j);
  return 2 * (wave - std::floor(wave)) - 1;
}

std::string exact(double number) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.17g", number);
  return buffer;
}

class Features : public WeftTest {
 protected:
  Features() {
    std::string text = "a,b,c\n";
    for (Index i = 0; i < kRows; ++i)
      for (Index j = 0; j < kInputs; ++j) {
        x_(j, i) = value(i, j);
        text += exact(x_(j, i)) + (j + 1 < kInputs ? "," : "\n");
      }
    write("data.csv", text);
  }

  void write_table(const std::string& name, const std::string& header, const Matrix& table) const {
    std::string text = header + "\n";
    for (const auto& row : rows_of(table))
      for (std::size_t j = 0; j < row.size(); ++j) text += exact(row[j]) + (j + 1 < row.size() ? "," : "\n");
    write(name, text);
  }

  /// The command's features on given centres, as CSV, as .npy and on standard output, against the library's.
  void expect_library(const std::string& family, const std::string& header, const Matrix& centres) const {
    SCOPED_TRACE(family);
    write_table("centres.csv", header, centres);
    FamilyOptions options{.family = family, .sigma = 0.7, .gamma = 1.3};
    const FeatureMap map = FeatureMap::from_table(options, Inputs::plain(kInputs), centres);
    Matrix phi(map.features(), kRows);
    map.values(x_, phi);
    std::vector<std::vector<double>> expected(kRows);
    for (Index i = 0; i < kRows; ++i)
      for (Index t = 0; t < phi.rows(); ++t) expected[static_cast<std::size_t>(i)].push_back(phi(t, i));
    Words command = {"features", "data.csv", "--family", family,      "--sigma",
                     "0.7",      "--gamma",  "1.3",      "--centres", "centres.csv"};
    EXPECT_EQ(csv_numbers(weft_out(command)), expected);
    command.insert(command.end(), {"--out", "f.csv"});
    EXPECT_EQ(weft_out(command), "");
    EXPECT_EQ(csv_numbers(text("f.csv")), expected);
    command.back() = "f.npy";
    EXPECT_EQ(weft_out(command), "");
    EXPECT_EQ(npy_numbers(text("f.npy")), expected);
  }

  Matrix x_{kInputs, kRows};
};

TEST_F(Features, AreTheLibrarysOnGivenCentres) {
  Matrix centres(5, kInputs);
  for (Index t = 0; t < 5; ++t)
    for (Index j = 0; j < kInputs; ++j) centres(t, j) = value(t + 100, j);
  for (const char* family : {"rw-relu", "rw-sign", "rw-exp-relu", "rw-exp-sign", "rks-cos"})
    expect_library(family, "a,b,c", centres);
}

TEST_F(Features, StumpCentresAreColumnAndThreshold) {
  Matrix stumps(4, 2);
  for (Index t = 0; t < 4; ++t) {
    stumps(t, 0) = static_cast<double>(t % kInputs);
    stumps(t, 1) = value(t, 50);
  }
  expect_library("rw-stumps", "column,threshold", stumps);
}

TEST_F(Features, SavedCentresReproduceThem) {
  for (const char* family : {"rw-relu", "rw-exp-sign", "rks-cos", "rw-stumps", "rw-sign/sparse:2"}) {
    SCOPED_TRACE(family);
    const Words common = {"features", "data.csv", "--family", family, "--gamma", "2", "--seed", "7"};
    Words draw = common;
    draw.insert(draw.end(), {"--features", "20", "--save-centres", "c.csv", "--out", "drawn.csv"});
    Words reuse = common;
    reuse.insert(reuse.end(), {"--centres", "c.csv", "--out", "reused.csv"});
    weft_out(draw);
    weft_out(reuse);
    EXPECT_EQ(csv_numbers(text("drawn.csv")).at(0).size(), 20u);
    EXPECT_EQ(text("drawn.csv"), text("reused.csv"));
  }
}

TEST_F(Features, DependOnTheSeedAndNotOnThreads) {
  const auto features = [&](const char* seed, const char* threads) {
    return weft_out(
        {"features", "builtin:friedman1:rows=5000", "--features", "40", "--seed", seed, "--threads", threads});
  };
  const std::string once = features("3", "1");
  EXPECT_EQ(csv_numbers(once).size(), 5000u);
  EXPECT_EQ(once, features("3", "2"));
  EXPECT_EQ(once, features("3", "3"));
  EXPECT_NE(once, features("4", "1"));
}

TEST_F(Features, EveryColumnIsAnInputUnlessItIsTheTarget) {
  weft_out({"features", "data.csv", "--features", "4", "--save-centres", "all.csv", "--out", "f.csv"});
  EXPECT_EQ(text("all.csv").substr(0, 6), "a,b,c\n");
  EXPECT_EQ(csv_numbers(text("all.csv")).at(3).size(), 3u);
  weft_out({"features", "data.csv", "--features", "4", "--target", "b", "--save-centres", "two.csv", "--out", "f.csv"});
  EXPECT_EQ(text("two.csv").substr(0, 4), "a,c\n");
  EXPECT_EQ(csv_numbers(text("two.csv")).at(3).size(), 2u);
}

TEST_F(Features, WhatTheTargetHoldsDoesNotMatter) {
  write("plain.csv", "a,b\n1,2\n-1,0.5\n");
  write("constant.csv", "a,b,y,w\n1,2,3,x\n-1,0.5,3,\n");
  write("empty.csv", "a,b,y,w\n1,2,,-1\n-1,0.5,,\n");
  const Words options = {"--seed", "3", "--gamma", "2"};
  const auto run = [&](Words command, bool with_target) {
    command.insert(command.end(), options.begin(), options.end());
    if (with_target) command.insert(command.end(), {"--target", "y", "--weights", "w"});
    return weft_out(command);
  };
  for (const char* file : {"constant.csv", "empty.csv"}) {
    EXPECT_EQ(run({"features", file}, true), run({"features", "plain.csv"}, false));
    EXPECT_EQ(run({"kernel", file, file}, true), run({"kernel", "plain.csv", "plain.csv"}, false));
  }
}

TEST_F(Features, StandardInputCannotBeReadTwice) {
  expect_refused({"features", "-"}, {"standard input:", "only once", "save it to a file"}, path("data.csv"));
}

TEST_F(Features, MemoryDoesNotGrowWithRows) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers keep memory of their own";
#endif
  const auto peak = [&](const std::string& rows) {
    const Outcome outcome =
        weft({"features", "builtin:friedman1:rows=" + rows, "--features", "16", "--threads", "2", "--out", "f.npy"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_GT(std::filesystem::file_size(path("f.npy")), std::stoul(rows) * 16 * 8);
    return outcome.peak_memory;
  };
  const double small = peak("20000");
  EXPECT_LT(peak("400000"), small + 4e6);  // the larger matrix alone is 51 MB
}

}  // namespace

}  // namespace weft::testing
