// What users get wrong: every mistake is one line with its place and a remedy, and leaves no file behind.
#include "cli/run_weft.hpp"

namespace weft::testing {

namespace {

class BadInput : public WeftTest {
 protected:
  BadInput() { write("ok.csv", "a,b\n1,2\n3,4\n5,7\n"); }

  void refuse_data(const std::string& contents, Words words) const {
    write("bad.csv", contents);
    expect_refused({"features", "bad.csv", "--features", "3", "--out", "f.csv"}, words);
    expect_refused({"features", "bad.csv", "--features", "3", "--out", "f.npy", "--save-centres", "c.csv"}, words);
  }
};

TEST_F(BadInput, MissingFile) {
  expect_refused({"features", "none.csv"}, {"none.csv:", "No such file", "check the path"});
  expect_refused({"kernel", "ok.csv", "none.csv"}, {"none.csv:", "No such file"});
  expect_refused({"features", "ok.csv", "--centres", "none.csv"}, {"none.csv:", "No such file"});
}

TEST_F(BadInput, EmptyFile) {
  refuse_data("", {"bad.csv:1:1:", "empty"});
}

TEST_F(BadInput, RaggedRows) {
  refuse_data("a,b\n1,2\n3\n", {"bad.csv:3:", "1 cells", "has 2"});
  refuse_data("a,b\n1,2\n3,4,5\n", {"bad.csv:3:", "3 cells", "has 2"});
}

TEST_F(BadInput, TextInANumericColumn) {
  std::string contents = "a,b\n";
  for (int i = 0; i < 1500; ++i) contents += "1,2\n";
  refuse_data(contents + "5,pear\n", {"bad.csv:1502:2:", "'pear'", "column 'b'", "--categorical b"});
}

TEST_F(BadInput, NotFinite) {
  refuse_data("a,b\n1,2\n3,inf\n", {"bad.csv:3:2:", "column 'b'", "not finite"});
  refuse_data("a,b\n-Inf,2\n3,4\n", {"bad.csv:2:1:", "column 'a'", "not finite"});
  refuse_data("a,b\n1,2\n3,NaN\n", {"bad.csv:3:2:", "column 'b' is missing", "--drop b"});
}

TEST_F(BadInput, UnknownTarget) {
  expect_refused({"features", "ok.csv", "--target", "price"}, {"ok.csv:", "--target", "'price'", "a, b"});
}

TEST_F(BadInput, NumbersOutOfRange) {
  for (const char* sigma : {"0", "-1", "nan", "inf"})
    expect_refused({"features", "ok.csv", "--sigma", sigma, "--out", "f.csv"}, {"--sigma:", sigma, "greater than 0"});
  expect_refused({"constants", "--dim", "3", "--sigma", "0"}, {"--sigma:", "greater than 0"});
  expect_refused({"constants", "--dim", "0"}, {"--dim:", "at least 1"});
  expect_refused({"features", "ok.csv", "--gamma", "-2"}, {"--gamma:", "'-2'", "it must be greater than 0"});
  expect_refused({"features", "ok.csv", "--gamma", "inf"}, {"--gamma:", "'inf'", "finite and greater than 0"});
  expect_refused({"features", "ok.csv", "--theta", "1"}, {"--theta:", "greater than 0 and less than 1"});
  for (const char* phase : {"inf", "-inf", "nan"})
    expect_refused({"features", "ok.csv", "--phase", phase}, {"--phase:", phase, "finite"});
  expect_refused({"features", "ok.csv", "--features", "0"}, {"--features:", "at least 1"});
  expect_refused({"features", "ok.csv", "--threads", "-1"}, {"--threads:", "at least 0"});
  expect_refused({"train", "ok.csv", "--max-memory", "lots"}, {"--max-memory:", "'lots'", "500M"});
  expect_refused({"generate", "moons", "--rows", "0", "--out", "m.csv"}, {"--rows:", "at least 1"});
}

TEST_F(BadInput, ExponentialKernelNeedsGammaAboveSigma) {
  for (const char* gamma : {"1", "2"})
    for (const char* family : {"rw-exp-sign", "rw-exp-relu"})
      expect_refused({"constants", "--family", family, "--dim", "3", "--sigma", "2", "--gamma", gamma},
                     {"--gamma:", "kappa is infinite", gamma, "gamma > sigma"});
}

TEST_F(BadInput, CentresOfAnotherDimension) {
  write("c.csv", "w\n1\n2\n");
  expect_refused({"features", "ok.csv", "--centres", "c.csv", "--out", "f.csv"},
                 {"--centres:", "1 columns", "2 inputs", "expected 2 columns"});
  expect_refused({"features", "ok.csv", "--family", "rw-stumps", "--centres", "c.csv", "--out", "f.csv"},
                 {"--centres:", "1 columns", "2 columns (0-based column, threshold)"});
  write("stumps.csv", "column,threshold\n0,0.5\n2,0.1\n");
  expect_refused({"features", "ok.csv", "--family", "rw-stumps", "--centres", "stumps.csv", "--out", "f.csv"},
                 {"--centres:", "centre 2", "0 … 1"});
}

TEST_F(BadInput, CentresWithAColumnTooMany) {
  write("c.csv", "a,b,phase\n1,2,0.5\n");
  expect_refused({"features", "ok.csv", "--centres", "c.csv"}, {"--centres:", "3 columns", "expected 2 columns"});
}

TEST_F(BadInput, NothingIsWrittenBeforeTheFirstRow) {
  expect_refused({"kernel", "ok.csv", "ok.csv", "--family", "rw-exp-sign", "--sigma", "2", "--gamma", "1"},
                 {"--gamma:", "no implicit kernel"});
  expect_refused({"features", "builtin:friedman1:rows=10", "--gamma", "1e-80"}, {"--gamma:", "vanishes"});
}

TEST_F(BadInput, TablesOfOtherColumns) {
  write("other.csv", "a,c\n1,2\n");
  expect_refused({"kernel", "ok.csv", "other.csv", "--out", "k.csv"}, {"other.csv:", "no column 'b'", "a, c"});
}

TEST_F(BadInput, UnwritableOutput) {
  std::filesystem::create_directory(folder() / "taken.csv");
  for (const char* place : {"no/such/f.csv", "no/such/f.npy"}) {
    expect_refused({"features", "ok.csv", "--out", place}, {place, "cannot", "choose a folder"});
    expect_refused({"generate", "moons", "--out", place}, {place, "cannot", "choose a folder"});
  }
  expect_refused({"features", "ok.csv", "--out", "taken.csv"},
                 {"taken.csv:", "is a folder", "give the name of a file"});
  expect_refused({"features", "ok.csv", "--save-centres", "no/c.csv", "--out", "f.csv"}, {"no/c.csv:", "cannot"});
}

TEST_F(BadInput, UnknownWords) {
  expect_refused({"features", "ok.csv", "--bogus"}, {"--bogus", "see weft features --help"});
  expect_refused({"features", "ok.csv", "--sigma", "wide"}, {"--sigma", "wide", "see weft features --help"});
  expect_refused({"features"}, {"data", "see weft features --help"});
  expect_refused({"constants"}, {"--dim", "see weft constants --help"});
  expect_refused({"weave"}, {"'weave'", "see weft --help"});
  expect_refused({}, {"command", "see weft --help"});
  expect_refused({"features", "ok.csv", "--format", "xls"}, {"--format:", "'xls'", "libsvm"});
}

TEST_F(BadInput, OptionsOfOtherMethods) {
  weft_out({"generate", "moons", "--rows", "60", "--out", "moons.csv"});
  const auto refused = [&](Words more, const Words& words) {
    more.insert(more.begin(), {"train", "moons.csv", "--target", "target", "--features", "20"});
    expect_refused(more, words);
  };
  refused({"--fit", "least-square"}, {"--fit", "least-squares", "kernel-ridge"});
  refused({"--loss", "hinge"}, {"--loss", "least-squares does not use it", "--fit sfgd"});
  refused({"--fit", "least-squares", "--loss", "huber"}, {"--loss", "least-squares does not use it", "--fit sfgd"});
  refused({"--fit", "lasso", "--radius", "0"}, {"--radius", "--fit sfgd"});  // its default
  refused({"--tolerance", "1e-6"}, {"--tolerance", "logistic"});
  refused({"--fit", "sfgd", "--precision", "single"}, {"--precision", "least-squares or lasso"});
}

TEST_F(BadInput, UnknownFamily) {
  expect_refused({"features", "ok.csv", "--family", "rw-bogus"}, {"--family:", "'bogus'", "relu"});
  expect_refused({"features", "ok.csv", "--family", "bogus"}, {"--family:", "bogus"});
  expect_refused({"generate", "suns"}, {"'suns'", "moons"});
  expect_refused({"features", "builtin:suns"}, {"builtin:suns:", "moons"});
}

}  // namespace

}  // namespace weft::testing
