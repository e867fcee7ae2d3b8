// Models exported as C, C++ and JavaScript predict what `weft predict` does, for rows of every kind.
#include "cli/run_weft.hpp"
#include "export/hostile_table.hpp"

#include <cmath>

namespace weft::testing {

namespace {

constexpr const char* kFlags = "-Wall -Wextra -Werror -pedantic";

struct ExportCase {
  const char* name;
  const char* target;
  const char* training;      ///< options
  double tolerance = 1e-12;  ///< |difference| / max(1, |prediction|)
  bool numbers_beside = false;
};

void PrintTo(const ExportCase& one, std::ostream* out) {
  *out << one.name;
}

#define WEFT_EVERY_ACTIVATION(K, P)                                                                                \
  K "sign" P ":6+" K "step" P ":6+" K "relu" P ":6+" K "leaky-relu" P ":6+" K "abs" P ":6+" K "identity" P ":6+" K \
    "square" P ":6+" K "cos" P ":6+" K "sin" P ":6+" K "erf" P ":6+" K "gaussian" P ":6"

// Where coefficients are large and of both signs (kernel machines, features that are nearly dependent), the rounding of
// a sum is that of its terms.
const ExportCase kCases[] = {
    {"fast", "y", "--fast --features 60", 1e-11},
    {"gaussian_weights", "y", "--gamma 2 --features 66 --family " WEFT_EVERY_ACTIVATION("rw-", "")},
    {"exponential_weights", "y", "--gamma 2 --features 66 --family " WEFT_EVERY_ACTIVATION("rw-exp-", "")},
    {"no_weights", "y", "--features 66 --family " WEFT_EVERY_ACTIVATION("rks-", "")},
    {"sparse_gaussian", "y", "--gamma 2 --features 66 --family " WEFT_EVERY_ACTIVATION("rw-", "/sparse:3")},
    {"sparse_plain", "y", "--features 66 --family " WEFT_EVERY_ACTIVATION("rks-", "/sparse:2")},
    {"axis", "y", "--gamma 1 --features 66 --family " WEFT_EVERY_ACTIVATION("rw-", "/axis")},
    {"axis_plain", "y", "--features 60 --family rks-stumps+rw-exp-stumps+rks-relu/axis --gamma 1"},
    {"fourier", "y", "--features 60 --family rff-rbf+rff-laplace"},
    {"structured", "y", "--features 60 --family rw-relu --sampling structured"},
    {"leverage", "y", "--features 40 --family rw-relu --sampling leverage"},
    {"phase", "y", "--features 40 --family rw-cos+rw-erf --phase 0.3"},
    {"standard", "y", "--features 40 --family rw-relu+rks-sign --scale standard"},
    {"minmax", "y", "--features 40 --family rw-relu+rks-sign --scale minmax", 1e-12, true},
    {"both", "y", "--features 40 --family rw-relu+rks-sign --scale both --no-bias"},
    {"no_scale", "y", "--features 40 --family rks-sign+rks-erf --scale none"},
    {"impute", "y", "--features 40 --missing impute --drop-also empty"},
    {"na_values", "y", "--features 40 --na-values c001,2,Berlin"},
    {"learned_bumps", "y", "--fit learned-activation --features 30"},
    {"learned_splines", "y", "--fit learned-activation --features 30 --basis bspline --degree 2"},
    {"learned_smoothed", "y", "--fit learned-activation --features 30 --basis bspline --family rw-relu"},
    {"learned_relevance", "y", "--fit learned-relevance --features 60"},
    {"rbf", "y", "--fit kernel-ridge --kernel rbf --landmarks 80", 1e-11},
    {"laplace", "y", "--fit kernel-ridge --kernel laplace --exponent 0.7 --landmarks 80", 1e-11},
    {"laplace_l2", "y", "--fit kernel-ridge --kernel laplace-l2", 1e-11},
    {"angular", "y", "--fit kernel-ridge --kernel angular --landmarks 80", 1e-11},
    {"local", "y", "--fit local --leaf 100 --trees 3", 1e-11, true},
    {"portfolio", "y", "", 1e-11},
    {"two_targets", "y,z", "--features 40"},
    {"binary", "up", "--features 40"},
    {"logistic", "up", "--features 40 --fit logistic"},
    {"without_probabilities", "up", "--features 40 --fit sfgd --loss hinge"},
    {"classes", "kind", "--features 40"},
    {"logits", "kind", "--features 40 --fit logistic"},
    {"class_portfolio", "kind", "", 1e-11},
    {"poisson", "count", "--features 40 --fit newton --loss poisson"},
    {"quantiles", "y", "--features 40 --fit newton --loss quantile --quantiles 0.1,0.5,0.9"},
};

#undef WEFT_EVERY_ACTIVATION

std::string joined(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + "," + b;
}

/// Trains by the command in a folder with a training table and hostile rows.
class Exported : public WeftTest {
 protected:
  Exported() {
    write("train.csv", HostileTable(400, 1, false).csv());
    const HostileTable rows(1000, 2, true);
    write("new.csv", rows.csv());
    write("new.json", rows.json());
  }

  void train(const ExportCase& one) const {
    std::istringstream words(one.training);
    std::string dropped;
    const std::string targets = "," + std::string(one.target) + ",";
    for (const char* name : {"y", "z", "kind", "up", "count"})
      if (targets.find("," + std::string(name) + ",") == std::string::npos) dropped = joined(dropped, name);
    Words arguments = {"train", "train.csv", "--target", one.target, "--categorical",
                       "zip",   "--model",   "m.weft",   "--quiet"};
    for (std::string word; words >> word;) {
      if (word != "--drop-also")
        arguments.push_back(word);
      else if (words >> word)
        dropped = joined(dropped, word);
    }
    arguments.insert(arguments.end(), {"--drop", dropped});
    const Outcome outcome = weft(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }

  /// With the probabilities of classes, where the model has them.
  std::string predictions(const Words& options = {}) const {
    Words arguments = {"predict", "m.weft", "new.csv", "--quiet"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    Words with = arguments;
    with.emplace_back("--proba");
    const Outcome outcome = weft(with);
    return outcome.exit_code == 0 ? outcome.out : weft(arguments).out;
  }

  void export_to(const std::string& target, const std::string& out, const Words& more = {}) const {
    Words arguments = {"export", "m.weft", "--to", target, "--out", out};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = weft(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }

  bool has(const std::string& program) const { return shell("command -v " + program + " > /dev/null") == 0; }

  /// Compiles a program with this command and gives its predictions of the hostile rows.
  std::string run(const std::string& compiler, const std::string& source) const {
    EXPECT_EQ(shell(compiler + " " + source + " -o program -lm && ./program < new.csv > out.csv"), 0) << compiler;
    return text("out.csv");
  }

  std::string run_module(const std::string& parameters = "") const {
    const std::string script = tests_folder() + "/export/run_module.mjs";
    EXPECT_EQ(shell("node '" + script + "' m.mjs new.json " + parameters + " > out.csv"), 0);
    return text("out.csv");
  }
};

std::vector<Words> cells_of(const std::string& csv) {
  std::vector<Words> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back(1);
    bool quoted = false;
    for (const char c : line) {
      if (c == '"') quoted = !quoted;
      if (c == ',' && !quoted)
        rows.back().emplace_back();
      else if (c != '"')
        rows.back().back() += c;
    }
  }
  return rows;
}

/// Labels must be equal, numbers within the tolerance. The largest difference.
double expect_same(const std::string& ours, const std::string& truth, double tolerance) {
  const std::vector<Words> a = cells_of(ours), b = cells_of(truth);
  EXPECT_EQ(a.size(), b.size());
  double worst = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    EXPECT_EQ(a[i].size(), b[i].size()) << "row " << i;
    for (std::size_t c = 0; c < std::min(a[i].size(), b[i].size()); ++c) {
      char* end = nullptr;
      const double u = std::strtod(a[i][c].c_str(), &end), v = std::strtod(b[i][c].c_str(), nullptr);
      if (end == a[i][c].c_str() || a[i][c] == b[i][c]) {
        EXPECT_EQ(a[i][c], b[i][c]) << "row " << i;
        continue;
      }
      worst = std::max(worst, std::abs(u - v) / std::max({1.0, std::abs(u), std::abs(v)}));
    }
  }
  EXPECT_LE(worst, tolerance);
  return worst;
}

/// What a module prints: classes by their positions, no header.
std::string with_positions(const std::string& csv, const Words& classes) {
  std::string text;
  std::vector<Words> rows = cells_of(csv);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto place = std::find(classes.begin(), classes.end(), rows[i][0]);
    if (!classes.empty()) rows[i][0] = std::to_string(place - classes.begin());
    for (std::size_t c = 0; c < rows[i].size(); ++c) text += (c > 0 ? "," : "") + rows[i][c];
    text += "\n";
  }
  return text;
}

Words classes_of(const std::string& target) {
  if (target == "up") return {"down", "up"};
  if (target == "kind") return {"hi", "lo", "mid,q"};  // as cells_of reads them
  return {};
}

class EveryModel : public Exported, public ::testing::WithParamInterface<ExportCase> {};

TEST_P(EveryModel, PredictsAsWeftDoes) {
  if (!has("gcc")) GTEST_SKIP() << "there is no gcc";
  const ExportCase& one = GetParam();
  ASSERT_NO_FATAL_FAILURE(train(one));
  const std::string truth = predictions();
  ASSERT_EQ(cells_of(truth).size(), 1001u);
  Words more;
  if (one.numbers_beside) more = {"--inline-numbers", "10"};
  Words with_main = more;
  with_main.emplace_back("--main");
  export_to("c", "m.c", with_main);
  double worst = expect_same(run(std::string("gcc -std=c99 ") + kFlags, "m.c"), truth, one.tolerance);
  if (has("clang"))
    worst = std::max(worst, expect_same(run(std::string("clang -std=c99 ") + kFlags, "m.c"), truth, one.tolerance));
  if (has("node")) {
    export_to("js", "m.mjs", more);
    const std::string module = run_module(one.numbers_beside ? "m.bin" : "");
    worst = std::max(worst, expect_same(module, with_positions(truth, classes_of(one.target)), one.tolerance));
  }
  RecordProperty("largest_difference", std::to_string(worst));
}

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, ::testing::ValuesIn(kCases),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_F(Exported, SanitizersFindNothing) {
  const std::string compiler =
      std::string("gcc -std=c99 -g -fsanitize=address,undefined -fno-sanitize-recover=all ") + kFlags;
  write("empty.c", "int main(void) { return 0; }\n");
  if (shell(compiler + " empty.c -o empty 2> /dev/null && ./empty") != 0) GTEST_SKIP() << "there are no sanitizers";
  for (const ExportCase& one : kCases) {
    const std::string name = one.name;
    if (name != "learned_smoothed" && name != "local" && name != "classes" && name != "na_values") continue;
    SCOPED_TRACE(name);
    ASSERT_NO_FATAL_FAILURE(train(one));
    export_to("c", "m.c", {"--main", "--inline-numbers", "100000"});
    expect_same(run(compiler, "m.c"), predictions(), one.tolerance);
  }
}

TEST_F(Exported, HeaderForCpp) {
  if (!has("g++")) GTEST_SKIP() << "there is no g++";
  ASSERT_NO_FATAL_FAILURE(train({"classes", "kind", "--features 40"}));
  const std::string truth = predictions();
  export_to("c++", "m.cpp", {"--main", "--inline-numbers", "10"});
  for (const std::string& compiler : Words{"g++ -std=c++11 ", "g++ -std=c++20 ", "clang++ -std=c++17 "})
    if (has(compiler.substr(0, compiler.find(' ')))) expect_same(run(compiler + kFlags, "m.cpp"), truth, 1e-12);
  // Two files that include it are one program.
  export_to("c++", "m.hpp", {"--name", "kinds"});
  write(
      "one.cpp",
      "#include \"m.hpp\"\n#include \"m.hpp\"\nint other();\nint main() { return kinds::columns[0] ? other() : 1; }\n");
  write("two.cpp", "#include \"m.hpp\"\nint other() { return kinds::classes[0] ? 0 : 1; }\n");
  EXPECT_EQ(shell(std::string("g++ -std=c++11 ") + kFlags + " one.cpp two.cpp -o both && ./both"), 0);
}

TEST_F(Exported, RulesForCellsAndTheThresholdAreThoseGiven) {
  if (!has("gcc")) GTEST_SKIP() << "there is no gcc";
  ASSERT_NO_FATAL_FAILURE(train({"binary", "up", "--features 40 --drop-also empty"}));
  export_to("c", "m.c", {"--main", "--threshold", "0.9", "--missing", "impute"});
  expect_same(run("gcc", "m.c"), predictions({"--threshold", "0.9", "--missing", "impute"}), 1e-12);
  export_to("c", "m.c", {"--main", "--missing", "error", "--unseen", "error"});
  const std::string head = "age,\"si\"\"ze */ of ?\?/ it\",flag,day,city,code,zip\n";
  const auto refused = [&](const std::string& row, const std::string& column) {
    write("bad.csv", head + row + "\n");
    EXPECT_EQ(shell("gcc m.c -o program -lm && ./program < bad.csv > out.csv 2> err.txt"), 1);
    EXPECT_NE(text("err.txt").find("line 2: "), std::string::npos) << text("err.txt");
    EXPECT_NE(text("err.txt").find(column), std::string::npos) << text("err.txt");
    EXPECT_NE(weft({"predict", "m.weft", "bad.csv", "--missing", "error", "--unseen", "error"}).exit_code, 0);
  };
  refused(",1,yes,2020-01-01,Berlin,c001,1", "age");
  refused("1,1,maybe,2020-01-01,Berlin,c001,1", "flag");
  refused("1,1,yes,2020-02-30,Berlin,c001,1", "day");
  refused("1,1,yes,2020-01-01,Paris,c001,1", "city");
  refused("1,x,yes,2020-01-01,Berlin,c001,1", "si\"ze");
  refused("1,1,yes,2020-01-01,Berlin,c001", "header");
}

TEST_F(Exported, ParametersOfAnotherModelAreRefused) {
  if (!has("gcc")) GTEST_SKIP() << "there is no gcc";
  ASSERT_NO_FATAL_FAILURE(train({"fast", "y", "--features 40"}));
  export_to("c", "m.c", {"--main", "--inline-numbers", "10"});
  std::string bytes = text("m.bin");
  EXPECT_EQ(bytes.size() % 8, 0u);
  EXPECT_EQ(shell("gcc m.c -o program -lm && ./program < new.csv > out.csv"), 0);
  expect_same(text("out.csv"), predictions(), 1e-12);
  bytes[0] = static_cast<char>(bytes[0] + 1);
  write("m.bin", bytes);
  EXPECT_EQ(shell("./program < new.csv > out.csv 2> err.txt"), 1);
  EXPECT_NE(text("err.txt").find("m.bin"), std::string::npos);
}

TEST_F(Exported, WhatCannotBeExportedSaysSo) {
  ASSERT_NO_FATAL_FAILURE(train({"fast", "y", "--features 40"}));
  expect_refused({"export", "m.weft", "--to", "js", "--main", "--out", "m.mjs"}, {"--main", "--to c"});
  expect_refused({"export", "m.weft", "--to", "fortran", "--out", "m.f"}, {"--to", "c++"});
  expect_refused({"export", "m.weft", "--to", "c", "--out", "m.c", "--name", "2x"}, {"--name", "letter"});
  expect_refused({"export", "m.weft", "--to", "c", "--out", "m.weft"}, {"--out"});
  expect_refused({"export", "m.weft", "--out", "m.f"}, {"m.f", "--to", "js"});
  expect_refused({"export", "m.weft", "--to", "c", "--out", "m.c", "--threshold", "0.5"}, {"--threshold"});
  ASSERT_NO_FATAL_FAILURE(train({"implicit", "y", "--fit kernel-ridge --kernel implicit:rw-relu --landmarks 30"}));
  expect_refused({"export", "m.weft", "--to", "c", "--out", "m.c"}, {"implicit:rw-relu", "laplace"});
}

TEST_F(Exported, JsonNamesFilesAndColumns) {
  ASSERT_NO_FATAL_FAILURE(train({"classes", "kind", "--features 40"}));
  const auto json =
      nlohmann::json::parse(weft_out({"export", "m.weft", "--out", "my-kinds.mjs", "--inline-numbers", "0", "--json"}));
  EXPECT_EQ(json["to"], "js");
  EXPECT_EQ(json["name"], "my_kinds");
  EXPECT_EQ(json["files"], (Words{"my-kinds.mjs", "my-kinds.bin"}));
  EXPECT_EQ(json["parameters_file_bytes"], 8 * (1 + json["parameters"].get<int>()));
  EXPECT_EQ(json["number_columns"], (Words{"age", HostileTable::kSize}));
  EXPECT_EQ(json["text_columns"], (Words{"flag", "day", "city", "code", "zip"}));
  EXPECT_EQ(json["outputs"], (Words{"kind", "proba_hi", "proba_lo", "proba_mid,\"q\""}));
}

}  // namespace

}  // namespace weft::testing
