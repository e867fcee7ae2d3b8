// How often a command reads its table: at most twice, whatever it does.
#include "cli/run_weft.hpp"

namespace weft::testing {
namespace {

class Passes : public WeftTest {
 protected:
  void SetUp() override {
    weft_out({"generate", "friedman1", "--rows", "80000", "--out", "table.csv"});
    size_ = static_cast<double>(std::filesystem::file_size(path("table.csv")));
    const Outcome outcome = weft({"version"});
    if (outcome.bytes_read < 0) GTEST_SKIP() << "the kernel does not count what a process reads";
    start_ = outcome.bytes_read;
  }

  /// In sizes of the table. Looking at the first rows for names and types costs a part of one, each time it is opened.
  double passes(const Words& arguments) {
    const Outcome outcome = weft(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return (outcome.bytes_read - start_) / size_;
  }

  void expect_passes(double most, const Words& arguments) {
    const double count = passes(arguments);
    EXPECT_GT(count, 0.9) << arguments[0];
    EXPECT_LT(count, most + 0.6) << arguments[0];
  }

  double size_ = 0;
  double start_ = 0;
};

Words with(Words arguments, const Words& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST_F(Passes, ReadATableAtMostTwice) {
  const Words train = {"train", "table.csv", "--target", "target", "--features", "30"};
  expect_passes(2, with(train, {"--model", "m.weft"}));
  expect_passes(2, with(train, {"--holdout", "0.25"}));
  expect_passes(2, with(train, {"--holdout", "0.25", "--report", "page.html"}));
  expect_passes(2, with(train, {"--time", "x9", "--model", "time.weft"}));
  expect_passes(2, with(train, {"--holdout", "0.25", "--time", "x9"}));
  const Words search = {"--configurations", "2", "--folds", "2"};
  expect_passes(2, with(with(train, {"--auto", "--holdout", "0.25"}), search));
  expect_passes(2, with(with({"tune", "table.csv", "--target", "target", "--features", "30"}, search),
                        {"--holdout", "0.25", "--model", "t.weft"}));
  expect_passes(1, {"evaluate", "m.weft", "table.csv"});
  expect_passes(1, {"predict", "m.weft", "table.csv", "--out", "p.csv"});
}

TEST_F(Passes, StreamedRowsAreParsedTwiceToo) {
  // So little memory that the rows are not held: they are kept as they were parsed.
  expect_passes(
      2, {"train", "table.csv", "--target", "target", "--features", "30", "--holdout", "0.25", "--max-memory", "8M"});
}

}  // namespace
}  // namespace weft::testing
