#include <weft/model.hpp>

#include "cli/run_weft.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

namespace weft::testing {

namespace {

using nlohmann::json;

class Train : public WeftTest {
 protected:
  Train() {
    weft_out({"generate", "friedman1", "--rows", "400", "--out", "numbers.csv"});
    std::string classes = "p,q,kind\n";
    for (const auto& row : csv_numbers(weft_out({"generate", "moons", "--rows", "200"}))) {
      down_rows_ += row[2] > 0 ? 0 : 1;
      classes += std::to_string(row[0]) + "," + std::to_string(row[1]) + (row[2] > 0 ? ",up\n" : ",down\n");
    }
    write("classes.csv", classes);
  }

  json train(Words arguments) const {
    arguments.insert(arguments.begin(), "train");
    arguments.insert(arguments.end(), {"--features", "60", "--json"});
    return json::parse(weft_out(arguments));
  }
  void refuse(Words arguments, const Words& words) const {
    arguments.insert(arguments.begin(), "train");
    arguments.insert(arguments.end(), {"--model", "m.weft"});
    expect_refused(arguments, words);
  }

  int down_rows_ = 0;
};

TEST_F(Train, NamesThePageItWrote) {
  const json said = train({"numbers.csv", "--target", "target", "--holdout", "0.3", "--report", "page.html"});
  EXPECT_EQ(said["page"], "page.html");
  EXPECT_NE(text("page.html").find("</html>"), std::string::npos);
}

TEST_F(Train, SaysWhatItDidInJson) {
  const json said = train({"numbers.csv", "--target", "target", "--holdout", "0.25", "--model", "m.weft"});
  EXPECT_EQ(said["family"], "rw-stumps:18+rw-relu/sparse:3");  // what auto stands for at 60 features
  EXPECT_EQ(said["features"], 60);
  EXPECT_EQ(said["fit"], "least-squares");
  EXPECT_EQ(said["model"], "m.weft");
  EXPECT_EQ(said["train"]["task"], "regression");
  EXPECT_EQ(said["train"]["rows"], 300);
  EXPECT_EQ(said["test"]["rows"], 100);
  for (const char* part : {"train", "test"}) {
    const double mse = said[part]["mse"];
    EXPECT_NEAR(said[part]["rmse"], std::sqrt(mse), 1e-12);
    EXPECT_GT(said[part]["r2"], 0.6) << "no better than a guess";
    EXPECT_LT(said[part]["r2"], 1.0);
  }
  EXPECT_NEAR(said["report"]["train_mse"], said["train"]["mse"], 1e-6 * said["train"]["mse"].get<double>());
  EXPECT_GT(said["report"]["lambda"], 0.0);
  EXPECT_GT(said["norms"]["rkhs"].at(0), 0.0);
  EXPECT_GT(said["peak_memory"], 1e6);
  EXPECT_TRUE(said["warnings"].is_array());
  EXPECT_FALSE(said["seconds"].empty());
  EXPECT_NEAR(Model::load(path("m.weft")).rkhs_norm(0), said["norms"]["rkhs"].at(0),
              1e-9 * said["norms"]["rkhs"].at(0).get<double>());
}

TEST_F(Train, ClassesByTheirLabels) {
  const json said = train({"classes.csv", "--target", "kind"});
  EXPECT_EQ(said["train"]["task"], "binary");
  EXPECT_EQ(said["train"]["classes"], json({"down", "up"}));
  EXPECT_LT(said["train"]["error"], 0.1);
  double down = 0;
  for (const double weight : said["train"]["confusion"].at(0)) down += weight;
  EXPECT_EQ(down, down_rows_);
  EXPECT_FALSE(said.contains("test"));
  EXPECT_FALSE(said.contains("model"));
}

TEST_F(Train, TestFileIsTestedOn) {
  weft_out({"generate", "friedman1", "--rows", "150", "--seed", "9", "--out", "test.csv"});
  const json said = train({"numbers.csv", "--target", "target", "--test", "test.csv", "--model", "m.weft"});
  EXPECT_EQ(said["train"]["rows"], 400);
  EXPECT_EQ(said["test"]["rows"], 150);
  EXPECT_EQ(said["test"], json::parse(weft_out({"evaluate", "m.weft", "test.csv", "--json"})));
}

TEST_F(Train, TablesForPeople) {
  const std::string said = weft_out({"train", "numbers.csv", "--target", "target", "--family", "rw-relu", "--features",
                                     "20", "--holdout", "0.5", "--model", "m.weft"});
  for (const char* word :
       {"20 features of rw-relu", "train", "test", "rmse", "lambda", "peak memory", "model written to m.weft"})
    EXPECT_NE(said.find(word), std::string::npos) << word << " in\n" << said;
}

TEST_F(Train, SameBitsOnAnyNumberOfThreads) {
  for (const char* data : {"numbers.csv", "classes.csv"}) {
    std::vector<Model> models;
    for (const char* threads : {"1", "2", "3"}) {
      train({data, "--target", "-1", "--threads", threads, "--model", "m.weft"});
      models.push_back(Model::load(path("m.weft")));
    }
    EXPECT_EQ(models[0].parts().coefficients.rows(), 60);
    for (std::size_t k = 1; k < models.size(); ++k) {
      EXPECT_EQ(rows_of(models[0].parts().coefficients), rows_of(models[k].parts().coefficients)) << data << k + 1;
      EXPECT_EQ(models[0].parts().intercepts, models[k].parts().intercepts) << data << k + 1;
      EXPECT_EQ(models[0].parts().report.numbers, models[k].parts().report.numbers) << data << k + 1;
    }
  }
}

TEST_F(Train, TargetsThatCannotBeLearned) {
  write("one.csv", "a,b\n1,yes\n2,yes\n3,yes\n");
  refuse({"one.csv", "--target", "b"}, {"one.csv:", "'b'", "one class only", "--target"});
  write("constant.csv", "a,b\n1,4\n2,4\n3,4\n");
  refuse({"constant.csv", "--target", "b", "--task", "regression"}, {"constant.csv:", "'b'", "same value"});
  refuse({"constant.csv", "--target", "b", "--task", "classification"}, {"constant.csv:", "one class only"});
  refuse({"classes.csv", "--target", "kind", "--task", "regression"},
         {"classes.csv:", "'kind'", "text", "--task classification"});
  refuse({"numbers.csv"}, {"--target:", "name the target column"});
  refuse({"numbers.csv", "--target", "price"}, {"numbers.csv:", "--target", "'price'", "x0"});
}

TEST_F(Train, MemoryIsCheckedFirst) {
  refuse({"numbers.csv", "--target", "target", "--features", "20000", "--max-memory", "50M"},
         {"--features:", "20000 features need", "--max-memory has 50 MiB", "at most 957 fit"});
  // Advice that works, and is not too timid.
  weft_out({"train", "numbers.csv", "--target", "target", "--features", "957", "--max-memory", "50M"});
  refuse({"numbers.csv", "--target", "target", "--features", "958", "--max-memory", "50M"}, {"at most 957 fit"});
}

TEST_F(Train, MemoryIsCheckedBeforeItIsTaken) {
  const Words arguments = {"train",      "numbers.csv", "--target",     "target",
                           "--features", "5000000",     "--max-memory", "50M"};
  expect_refused(arguments, {"--features:", "5000000 features need"});
  EXPECT_LT(weft(arguments).peak_memory, 200e6) << "the centres alone would take more";
  refuse({"numbers.csv", "--target", "target", "--family", "rw-relu:3000+rw-stumps:4000", "--max-memory", "50M"},
         {"7000 features need"});
  // The centres count: a descent holds little else, and 10 inputs and the bias take 88 bytes per feature.
  refuse({"numbers.csv", "--target", "target", "--fit", "sfgd", "--features", "600000", "--max-memory", "50M"},
         {"at most 595781 fit"});
}

TEST_F(Train, OptionsOutOfRange) {
  const Words data = {"numbers.csv", "--target", "target"};
  const auto with = [&](const Words& more) {
    Words all = data;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  refuse(with({"--lambda", "0"}), {"--lambda:", "greater than 0"});
  refuse(with({"--lambda", "-3"}), {"--lambda:", "'-3'", "greater than 0"});
  refuse(with({"--lambda", "inf"}), {"--lambda:", "'inf'", "finite"});
  refuse(with({"--fit", "magic"}), {"--fit:", "'magic'", "least-squares"});
  refuse(with({"--holdout", "1"}), {"--holdout:", "at least 0 and less than 1"});
  refuse(with({"--holdout", "0.2", "--test", "numbers.csv"}), {"--holdout:", "give only one of them"});
  refuse(with({"--test", "none.csv"}), {"none.csv:", "No such file"});
  refuse(with({"--calibrate"}), {"--calibrate:", "classifiers"});
}

TEST_F(Train, ModelsThatCannotBeWritten) {
  expect_refused({"train", "numbers.csv", "--target", "target", "--features", "10", "--model", "no/such/m.weft"},
                 {"no/such/m.weft:", "cannot open", "choose a folder"});
}

TEST_F(Train, ModelsThatCannotBeWrittenAreFoundBeforeAnyWork) {
  expect_refused({"train", "none.csv", "--target", "target", "--model", "no/such/m.weft"}, {"no/such/m.weft:"});
}

TEST_F(Train, TestsThatFailLeaveTheReport) {
  write("test.csv", "other,target\n1,2\n");
  const Outcome outcome = weft({"train", "numbers.csv", "--target", "target", "--features", "20", "--test", "test.csv",
                                "--model", "m.weft", "--json"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("test.csv"), std::string::npos) << outcome.err;
  const json said = json::parse(outcome.out);
  EXPECT_EQ(said["train"]["rows"], 400);
  EXPECT_FALSE(said.contains("test"));
  EXPECT_EQ(Model::load(path("m.weft")).parts().map.features(), 20);
}

TEST_F(Train, NormsAreToldAsInfoTellsThem) {
  const json said = train({"classes.csv", "--target", "kind", "--model", "m.weft"});
  EXPECT_EQ(said["norms"]["rkhs"].size(), 1u);
  EXPECT_EQ(said["norms"], json::parse(weft_out({"info", "m.weft", "--json"}))["norms"]);
  const json large = json::parse(weft_out({"train", "classes.csv", "--target", "kind", "--fit", "sfgd", "--lambda",
                                           "0.1", "--iterations", "1", "--features", "10001", "--json"}));
  EXPECT_FALSE(large.contains("norms")) << "they would take features² numbers";
}

TEST_F(Train, StandardInputCannotBeReadTwice) {
  expect_refused({"train", "-", "--target", "target", "--features", "10"}, {"standard input:", "only once"},
                 path("numbers.csv"));
}

}  // namespace

}  // namespace weft::testing
