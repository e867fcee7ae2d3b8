// predict, evaluate and info on models that train wrote.
#include "cli/run_weft.hpp"
#include "model/sample_members.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

namespace weft::testing {

namespace {

using nlohmann::json;

class Predict : public WeftTest {
 protected:
  Predict() {
    const auto rows = csv_numbers(weft_out({"generate", "moons", "--rows", "120"}));
    std::string numbers = "p,q,y\n";
    std::string reordered = "extra,q,p\n";
    std::string labels = "p,q,kind\n";
    for (const auto& row : rows) {
      const std::string p = std::to_string(row[0]);
      const std::string q = std::to_string(row[1]);
      numbers += p + "," + q + "," + std::to_string(row[0] * row[1] + 0.5) + "\n";
      reordered += "9," + q + "," + p + "\n";
      labels += p + "," + q + (row[2] > 0 ? ",up\n" : ",down\n");
    }
    write("numbers.csv", numbers);
    write("reordered.csv", reordered);
    write("labels.csv", labels);
    weft_out({"train", "numbers.csv", "--target", "y", "--features", "40", "--model", "y.weft"});
    weft_out({"train", "labels.csv", "--target", "kind", "--features", "40", "--model", "kind.weft"});
  }
};

TEST_F(Predict, ColumnsGoByName) {
  const std::string plain = weft_out({"predict", "y.weft", "numbers.csv"});
  EXPECT_EQ(csv_numbers(plain).size(), 120u);
  EXPECT_EQ(plain.substr(0, 2), "y\n");
  EXPECT_EQ(plain, weft_out({"predict", "y.weft", "reordered.csv"}));
  EXPECT_EQ(plain, weft_out({"predict", "y.weft", "-"}, path("reordered.csv")));
  EXPECT_EQ(plain, weft_out({"predict", "y.weft", "numbers.csv", "--threads", "3"}));
  weft_out({"predict", "y.weft", "numbers.csv", "--out", "p.npy"});
  EXPECT_EQ(npy_numbers(text("p.npy")), csv_numbers(plain));
}

TEST_F(Predict, LabelsAreThoseOfTraining) {
  const std::string said = weft_out({"predict", "kind.weft", "labels.csv"});
  std::istringstream predicted(said);
  std::istringstream truth(text("labels.csv"));
  std::string label;
  std::string row;
  int right = 0;
  int rows = 0;
  while (std::getline(predicted, label) && std::getline(truth, row)) {
    EXPECT_TRUE(label == "up" || label == "down" || rows == 0) << label;
    right += row.ends_with("," + label) ? 1 : 0;
    ++rows;
  }
  EXPECT_EQ(rows, 121);
  const json measured = json::parse(weft_out({"evaluate", "kind.weft", "labels.csv", "--json"}));
  EXPECT_NEAR(measured["accuracy"], (right - 1) / 120.0, 1e-12);  // the header agrees too
}

TEST_F(Predict, MissingColumnIsNamed) {
  write("less.csv", "q,other\n1,2\n");
  expect_refused({"predict", "y.weft", "less.csv"}, {"less.csv:", "no column 'p'", "q, other"});
  expect_refused({"predict", "y.weft", "less.csv", "--out", "p.csv"}, {"less.csv:", "no column 'p'"});
  expect_refused({"evaluate", "y.weft", "reordered.csv"}, {"reordered.csv:", "'y'"});
}

TEST_F(Predict, WhatTheModelDoesNotGive) {
  expect_refused({"predict", "y.weft", "numbers.csv", "--proba", "--out", "p.csv"}, {"--proba:", "regression"});
  expect_refused({"predict", "y.weft", "numbers.csv", "--threshold", "0.5"}, {"--threshold:", "regression"});
  expect_refused({"predict", "kind.weft", "labels.csv", "--threshold", "1.5"}, {"--threshold:", "at most 1"});
  expect_refused({"predict", "kind.weft", "labels.csv", "--out", "p.npy"}, {"--out:", ".csv"});
  expect_refused({"predict", "y.weft", "numbers.csv", "--std", "--out", "p.csv"}, {"--std"});
  expect_refused({"predict", "y.weft", "numbers.csv", "--out", "no/p.csv"}, {"no/p.csv:", "choose a folder"});
}

TEST_F(Predict, EvaluateMeasuresThePredictions) {
  const auto predicted = csv_numbers(weft_out({"predict", "y.weft", "numbers.csv"}));
  const auto truth = csv_numbers(text("numbers.csv"));
  double squares = 0;
  double absolutes = 0;
  for (std::size_t i = 0; i < 120; ++i) {
    const double difference = predicted.at(i).at(0) - truth.at(i).at(2);
    squares += difference * difference / 120;
    absolutes += std::abs(difference) / 120;
  }
  const json measured = json::parse(weft_out({"evaluate", "y.weft", "-", "--json"}, path("numbers.csv")));
  EXPECT_EQ(measured["task"], "regression");
  EXPECT_EQ(measured["rows"], 120);
  EXPECT_NEAR(measured["mse"], squares, 1e-12);
  EXPECT_NEAR(measured["mae"], absolutes, 1e-12);
  EXPECT_NE(weft_out({"evaluate", "y.weft", "numbers.csv"}).find("rmse"), std::string::npos);
}

TEST_F(Predict, EvaluateRefusesUnseenLabels) {
  write("new.csv", "p,q,kind\n0.5,0.5,up\n0.1,0.2,sideways\n");
  expect_refused({"evaluate", "kind.weft", "new.csv"}, {"new.csv:3:3:", "'sideways'", "'kind'"});
}

TEST_F(Predict, InfoSaysWhatAModelHolds) {
  const json info = json::parse(weft_out({"info", "kind.weft", "--json"}));
  EXPECT_EQ(info["task"], "binary");
  EXPECT_EQ(info["target"], json({"kind"}));
  EXPECT_EQ(info["classes"], json({"down", "up"}));
  EXPECT_EQ(info["features"], 40);
  EXPECT_EQ(info["inputs"], json({"p", "q", "(bias)"}));
  EXPECT_EQ(info["training_rows"], 120);
  EXPECT_EQ(info["options"]["fit"], "least-squares");
  EXPECT_NE(info["provenance"]["command"].get<std::string>().find("train labels.csv"), std::string::npos);
  const std::string said = weft_out({"info", "kind.weft"});
  for (const char* word :
       {"binary", "down, up", "rw-stumps: 12 features", "rw-relu/sparse:2: 28 features", "provenance"})
    EXPECT_NE(said.find(word), std::string::npos) << word;
}

TEST_F(Predict, DamagedModels) {
  const std::string whole = text("y.weft");
  write("cut.weft", whole.substr(0, whole.size() / 2));
  std::string flipped = whole;
  flipped[whole.size() * 3 / 4] = static_cast<char>(flipped[whole.size() * 3 / 4] ^ 1);
  write("flipped.weft", flipped);
  write("empty.weft", "");
  write("foreign.weft", "not a model at all, whatever its name says\n");
  for (const char* name : {"cut.weft", "flipped.weft"}) {
    expect_refused({"info", name}, {std::string(name) + ":", "damaged", "write the model again"});
    expect_refused({"predict", name, "numbers.csv", "--out", "p.csv"}, {std::string(name) + ":", "damaged"});
    expect_refused({"evaluate", name, "numbers.csv"}, {std::string(name) + ":", "damaged"});
  }
  for (const char* name : {"empty.weft", "foreign.weft"})
    expect_refused({"info", name}, {std::string(name) + ":", "not a weft model"});
  expect_refused({"info", "none.weft"}, {"none.weft:", "No such file"});
}

TEST_F(Predict, InfoListsMembersAndRelevance) {
  Model(member_parts("y")).save(path("sum.weft"));
  const std::string said = weft_out({"info", "sum.weft"});
  EXPECT_NE(said.find("first: weight 0.5, laplace, 29 features in 4 leaves, bandwidth 0.8 to 2.5"), std::string::npos)
      << said;
  EXPECT_NE(said.find("directions: weight -1, rbf, 6 features, bandwidth 1.2"), std::string::npos) << said;
  EXPECT_NE(said.find("relevance\n  a                100.0 % █"), std::string::npos) << said;
  EXPECT_NE(said.find("  city              33.3 % █"), std::string::npos) << said;
  EXPECT_EQ(said.find("RKHS"), std::string::npos) << said;
  const json info = json::parse(weft_out({"info", "sum.weft", "--json"}));
  EXPECT_EQ(info["members"][1]["name"], "second");
  EXPECT_EQ(info["relevance"][0], json({{"variable", "a"}, {"relevance", 1}}));
}

TEST_F(Predict, WhatASumOfMembersDoesNotHave) {
  Model(member_parts("y")).save(path("sum.weft"));
  write("rows.csv", "a,b,city,y\n1,2,Bern,3\n2,1,Bern,4\n");
  EXPECT_EQ(csv_numbers(weft_out({"predict", "sum.weft", "rows.csv"})).size(), 2U);
  weft_out({"evaluate", "sum.weft", "rows.csv"});
  expect_refused({"certify", "sum.weft", "rows.csv"}, {"members"});
  expect_refused({"prune", "sum.weft", "rows.csv", "--accept", "bound", "--out", "small.weft"}, {"members"});
  expect_refused({"predict", "sum.weft", "rows.csv", "--std"}, {"--std"});
}

}  // namespace

}  // namespace weft::testing
