// Models exported as C, C++ and JavaScript predict what `weft predict` does, for rows of every kind.
#include "export/export_case.hpp"

namespace weft::testing {

namespace {

constexpr const char* kFlags = "-Wall -Wextra -Werror -pedantic";

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

TEST_F(Exported, EndsOfIntervalsAreThoseOfPredict) {
  if (!has("gcc")) GTEST_SKIP() << "there is no gcc";
  for (const ExportCase& one :
       {ExportCase{"one", "y", "--features 40 --intervals"}, ExportCase{"two", "y,z", "--features 40 --intervals"},
        ExportCase{"counts", "count", "--features 40 --fit newton --loss poisson --intervals"}}) {
    SCOPED_TRACE(one.name);
    ASSERT_NO_FATAL_FAILURE(train(one));
    const std::string truth = predictions({"--interval", "0.8"});
    export_to("c", "m.c", {"--main", "--interval", "0.8"});
    expect_same(run(std::string("gcc -std=c99 ") + kFlags, "m.c"), truth, 1e-12);
    if (!has("node")) continue;
    export_to("js", "m.mjs", {"--interval", "0.8"});
    expect_same(run_module(), with_positions(truth, {}), 1e-12);
  }
  expect_refused({"export", "m.weft", "--to", "c", "--out", "m.c", "--interval", "0.999"}, {"--interval", "smaller"});
  ASSERT_NO_FATAL_FAILURE(train({"classes", "kind", "--features 40 --intervals"}));
  expect_refused({"export", "m.weft", "--to", "c", "--out", "m.c", "--interval", "0.8"},
                 {"--interval", "probabilities"});
  ASSERT_NO_FATAL_FAILURE(train({"none", "count", "--features 40 --fit newton --loss poisson"}));
  expect_refused({"export", "m.weft", "--to", "c", "--out", "m.c", "--interval", "0.8"},
                 {"--interval", "train it again"});
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
