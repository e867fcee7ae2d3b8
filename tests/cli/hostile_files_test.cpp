// Small files that ask for much, wide tables, limits of the process, and texts that would act on a terminal.
#include "cli/run_weft.hpp"

#include <fmt/format.h>

namespace weft::testing {

namespace {

class HostileFiles : public WeftTest {
 protected:
  /// Rows of numbers below so many columns, and a target.
  void write_wide(const std::string& name, int columns, int rows) const {
    std::string text;
    for (int c = 0; c < columns; ++c) text += fmt::format("c{},", c);
    text += "y\n";
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) text += fmt::format("{},", (c * 7 + r * r * 13 + c * r) % 100);
      text += fmt::format("{}\n", r);
    }
    write(name, text);
  }
};

constexpr double kMB = 1e6;

TEST_F(HostileFiles, ASmallFileDoesNotTakeMuchMemory) {
  write("bomb", std::string("\0\0\x08\x03\0\0\0\x02\0\0\x02\0\0\0\x01\xf4", 16) + "12345");
  const Outcome refused = weft({"train", "bomb", "--target", "-1", "--fast"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.err.find("ends too early"), std::string::npos) << refused.err;
  EXPECT_LT(refused.peak_memory, 200 * kMB);

  write("far.libsvm", "1 200000:1\n2 3:1\n3 1:1 7:2\n");
  const Outcome far = weft({"train", "far.libsvm", "--fast", "--features", "20", "--model", "m.weft"});
  EXPECT_EQ(far.exit_code, 0) << far.err;
  EXPECT_LT(far.peak_memory, 200 * kMB);
}

// What does not occur is 0 everywhere: the model is that of the columns that do.
TEST_F(HostileFiles, AWideSparseFileIsTheTableOfTheColumnsThatOccur) {
  std::string sparse;
  std::string dense = "x2,x700,x30000,x999999,target\n";
  for (int r = 0; r < 60; ++r) {
    sparse += fmt::format("{} {}700:{}{} 999999:{}\n", r % 7, r % 3 == 0 ? "2:1 " : "", r * r % 11,
                          r == 17 ? " 30000:4" : "", 0.5 * (r % 5));
    dense += fmt::format("{},{},{},{},{}\n", r % 3 == 0 ? 1 : 0, r * r % 11, r == 17 ? 4 : 0, 0.5 * (r % 5), r % 7);
  }
  write("t.svm", sparse);
  write("t.csv", dense);
  for (const std::string table : {"t.svm", "t.csv"})
    weft_out(
        {"train", table, "--target", "target", "--fast", "--features", "40", "--model", table + ".weft", "--quiet"});
  const std::string predicted = weft_out({"predict", "t.svm.weft", "t.svm"});
  EXPECT_EQ(predicted, weft_out({"predict", "t.csv.weft", "t.csv"}));
  EXPECT_EQ(predicted, weft_out({"predict", "t.csv.weft", "t.svm"}));
  EXPECT_EQ(csv_numbers(predicted).size(), 60u);
}

// Blocks of all the columns would take 6 GB.
TEST_F(HostileFiles, AMillionSparseColumnsAreFittedInLittleMemory) {
  std::string text;
  unsigned state = 1;
  for (int r = 0; r < 400; ++r) {
    text += std::to_string(r % 3);
    int index = 0;
    for (int k = 0; k < 100; ++k) {
      state = state * 1664525u + 1013904223u;
      text += fmt::format(" {}:{}", index += 1 + static_cast<int>(state >> 8) % 9900, 1 + k % 4);
    }
    text += '\n';
  }
  write("wide.svm", text);
  const Outcome fit =
      weft({"train", "wide.svm", "--fast", "--features", "100", "--model", "m.weft", "--max-memory", "500M"});
  EXPECT_EQ(fit.exit_code, 0) << fit.err;
  EXPECT_LT(fit.peak_memory, 700 * kMB);
  const Outcome predicted = weft({"predict", "m.weft", "wide.svm"});
  EXPECT_EQ(predicted.exit_code, 0) << predicted.err;
  EXPECT_LT(predicted.peak_memory, 700 * kMB);
  EXPECT_EQ(csv_numbers(predicted.out).size(), 400u);
}

// Looking every column up among all others took more than a minute.
TEST_F(HostileFiles, ATableOfAHundredThousandColumnsIsReadAndPredicted) {
  write_wide("wide.csv", 100000, 4);
  const Outcome fit = weft({"train", "wide.csv", "--target", "y", "--fast", "--features", "20", "--model", "m.weft"});
  EXPECT_EQ(fit.exit_code, 0) << fit.err;
  EXPECT_LT(fit.peak_memory, 1000 * kMB);
  const Outcome predicted = weft({"predict", "m.weft", "wide.csv"});
  EXPECT_EQ(predicted.exit_code, 0) << predicted.err;
  EXPECT_EQ(csv_numbers(predicted.out).size(), 4u);
}

TEST_F(HostileFiles, ManyTargetsAreFoundByTheirNames) {
  std::string labels;
  for (int t = 0; t < 200000; ++t) labels += t == 0 ? "{0}" : ",{0}";
  std::string text;
  for (int r = 0; r < 3; ++r) text += fmt::format(fmt::runtime(labels), r) + fmt::format(" 1:{} 2:1\n", r * r);
  write("labels.libsvm", text);
  const Outcome outcome = weft({"train", "labels.libsvm", "--fast", "--features", "3", "--max-memory", "20M"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("200002 columns"), std::string::npos) << outcome.err;
}

TEST_F(HostileFiles, ALineWithoutEndIsNotAnEmptyFile) {
  write("long.csv", std::string(std::size_t{65} << 20, 'a'));
  expect_refused({"train", "long.csv", "--target", "y"}, {"long.csv:1:1", "64 MiB"});
}

TEST_F(HostileFiles, ControlCharactersOfFilesDoNotReachTheTerminal) {
  const auto is_control = [](char c) { return (static_cast<unsigned char>(c) < ' ' && c != '\n') || c == 127; };
  write("t.csv", "a\x1b]0;owned\x07,b,kind\n1,2,x\x1b[31m\n2,1,y\n3,5,y\n4,4,x\x1b[31m\n5,5,y\n6,1,x\x1b[31m\n");
  const Outcome fit = weft(
      {"train", "t.csv", "--target", "kind", "--fast", "--features", "10", "--model", "m.weft", "--holdout", "0.3"});
  EXPECT_EQ(fit.exit_code, 0) << fit.err;
  for (const Outcome& outcome :
       {fit, weft({"info", "m.weft"}), weft({"info", "m.weft", "--json"}), weft({"evaluate", "m.weft", "t.csv"}),
        weft({"train", "t.csv", "--target", "nothing"}),
        weft({"train", "t.csv", "--target", "b", "--drop", "0,kind\x1b"}), weft({"predict", "m.weft", "m.weft"})})
    EXPECT_EQ(std::count_if(outcome.out.begin(), outcome.out.end(), is_control) +
                  std::count_if(outcome.err.begin(), outcome.err.end(), is_control),
              0)
        << outcome.out << outcome.err;
  // A pipe gets the labels as they are: they are data.
  EXPECT_NE(weft({"predict", "m.weft", "t.csv"}).out.find("x\x1b[31m"), std::string::npos);
}

// OpenBLAS tries for ever to map what it cannot get.
TEST_F(HostileFiles, TooLittleMemoryForTheBlasIsAnError) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer reserves terabytes of addresses";
#endif
  const char* train = "train builtin:friedman1:rows=2000 --fast --features 100 --threads 4 --model m.weft";
  const auto expect_error = [&](int kilobytes, const std::string& command) {
    const int code =
        shell(fmt::format("ulimit -v {}; timeout 120 '{}' {} >out 2>err", kilobytes, weft_command(), command));
    EXPECT_EQ(code, 1) << kilobytes << ": " << text("err");
    EXPECT_NE(text("err").find("memory"), std::string::npos) << text("err");
  };
  for (const int kilobytes : {100000, 150000, 200000}) {
    expect_error(kilobytes, train);
    EXPECT_EQ(listing(), (Words{"err", "out"}));
  }
  for (const int kilobytes : {400000, 700000, 2000000})
    EXPECT_EQ(shell(fmt::format("ulimit -v {}; weft {} >out 2>err", kilobytes, train)), 0) << text("err");
  for (const int kilobytes : {60000, 100000}) expect_error(kilobytes, "info m.weft");
}

}  // namespace

}  // namespace weft::testing
