// Models exported to ONNX: valid by the checker of python3-onnx, and in onnxruntime they predict what `weft predict`
// does.
#include "export/export_case.hpp"

namespace weft::testing {

namespace {

/// Labels must be spelled as in training, and dates are numbers.
class OnnxRun : public Exported {
 protected:
  OnnxRun() : Exported(HostileTable::Cells::spelled) {}

  /// Where ./test --all installs it.
  static std::string runtime() {
    return (std::filesystem::path(weft_command()).parent_path().parent_path() / "onnx/node_modules").string();
  }

  /// The graph's predictions of all rows with those of weft predict; both commands take the options.
  void compare(double tolerance, const Words& options = {}) const {
    Words words = {"export", "m.weft", "--out", "m.onnx", "--json"};
    words.insert(words.end(), options.begin(), options.end());
    write("told.json", weft_out(words));
    const std::string script = tests_folder() + "/export/run_onnx.mjs";
    ASSERT_EQ(shell("node '" + script + "' '" + runtime() + "' m.onnx told.json new.json > out.csv"), 0);
    const std::string truth = predictions(options);
    expect_same(truth.substr(0, truth.find('\n') + 1) + text("out.csv"), truth, tolerance);
  }
};

class OnnxModel : public OnnxRun, public ::testing::WithParamInterface<ExportCase> {};

TEST_P(OnnxModel, PredictsAsWeftDoes) {
  if (!has("node") || !std::filesystem::exists(runtime() + "/onnxruntime-node"))
    GTEST_SKIP() << "there is no onnxruntime: ./test --all fetches it";
  const ExportCase& one = GetParam();
  if (std::string(one.name) == "learned_smoothed") GTEST_SKIP() << "smoothed B-splines have no operators";
  ASSERT_NO_FATAL_FAILURE(train(one));
  // arcsin is in single precision, and the runtime rounds factors to it where it joins them with a product.
  compare(std::string(one.name) == "angular" ? 1e-5 : 1e-6);
}

TEST_F(OnnxRun, EndsOfIntervalsAreThoseOfPredict) {
  if (!has("node") || !std::filesystem::exists(runtime() + "/onnxruntime-node"))
    GTEST_SKIP() << "there is no onnxruntime: ./test --all fetches it";
  ASSERT_NO_FATAL_FAILURE(train({"two", "y,z", "--features 40"}));
  compare(1e-6, {"--interval", "0.8"});
  ASSERT_NO_FATAL_FAILURE(train({"counts", "count", "--features 40 --fit newton --loss poisson --intervals"}));
  compare(1e-6, {"--interval", "0.8"});
}

INSTANTIATE_TEST_SUITE_P(Models, OnnxModel, ::testing::ValuesIn(kCases),
                         [](const auto& one) { return std::string(one.param.name); });

class OnnxFile : public Exported {};

TEST_F(OnnxFile, IsValid) {
  if (shell("/usr/bin/python3 -c 'import onnx' 2> /dev/null") != 0) GTEST_SKIP() << "python3-onnx is not installed";
  for (const ExportCase& one : kCases) {
    const std::string name = one.name;
    if (name != "fast" && name != "class_portfolio" && name != "quantiles" && name != "local" && name != "logistic")
      continue;
    SCOPED_TRACE(name);
    ASSERT_NO_FATAL_FAILURE(train(one));
    export_to("onnx", "m.onnx");
    EXPECT_EQ(
        shell("/usr/bin/python3 -c \"import onnx; onnx.checker.check_model(onnx.load('m.onnx'), full_check=True)\""),
        0);
  }
}

/// Its only column has no cell.
TEST_F(OnnxFile, AModelWithoutColumnsIsRefused) {
  write("empty.csv", "c,y\n,1\n,2\n,1\n,2\n");
  ASSERT_EQ(weft({"train", "empty.csv", "--target", "y", "--fast", "--model", "m.weft", "--quiet"}).exit_code, 0);
  expect_refused({"export", "m.weft", "--out", "m.onnx"}, {"uses no column", "--to"});
  EXPECT_EQ(weft({"export", "m.weft", "--out", "m.c"}).exit_code, 0);
}

TEST_F(OnnxFile, RefusesWhatItCannotExpress) {
  ASSERT_NO_FATAL_FAILURE(train({"fast", "y", "--features 30"}));
  expect_refused({"export", "m.weft", "--out", "m.onnx", "--missing", "error"}, {"--missing", "impute"});
  expect_refused({"export", "m.weft", "--out", "m.onnx", "--unseen", "error"}, {"--unseen", "ignore"});
  expect_refused({"export", "m.weft", "--out", "m.onnx", "--main"}, {"--main", "--to c"});
  ASSERT_NO_FATAL_FAILURE(
      train({"splines", "y", "--fit learned-activation --features 20 --basis bspline --family rw-relu"}));
  expect_refused({"export", "m.weft", "--out", "m.onnx"}, {"B-splines", "--basis rbf"});
}

}  // namespace

}  // namespace weft::testing
