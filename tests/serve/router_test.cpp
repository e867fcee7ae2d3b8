// From requests to answers, without sockets.
#include "serve/router.hpp"

#include <weft/fit.hpp>
#include <weft/predicted_table.hpp>

#include "data/readers/csv_text.hpp"
#include "model/sample_models.hpp"
#include "serve/input_columns.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace weft::testing {
namespace {

using nlohmann::json;

/// A model with probabilities or, of a number, with scores for intervals.
Model served_sample(const std::string& target) {
  ModelParts parts = sample_parts(target);
  const Index classes = static_cast<Index>(parts.encoder.target().classes.size());
  if (classes > 0) parts.probabilistic = true;
  for (Index k = 0; k < (classes > 0 ? classes + 1 : 1); ++k) {
    std::vector<double> scores;
    for (Index i = 0; i < 100; ++i) scores.push_back(classes > 0 ? std::abs(std::sin(i)) : made_up(i, 77));
    parts.conformity.tables.emplace_back(scores);
  }
  parts.conformity.by = ScoredBy::held_out_rows;
  return Model(std::move(parts));
}

class RouterTest : public ::testing::Test {
 protected:
  void serve(const std::string& target) {
    router_ = std::make_unique<Router>(
        request_, std::make_shared<const ServedModel>(served_sample(target), request_, weft::Run{}));
  }

  Answer ask(const std::string& method, const std::string& path, const std::string& body = "",
             const std::string& headers = "") const {
    const std::string bytes = method + " " + path + " HTTP/1.1\r\nHost: localhost:80\r\n" + headers +
                              "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    const ParsedRequest parsed = parse_request(bytes);
    EXPECT_EQ(parsed.state, ParseState::complete) << parsed.refusal.message;
    return router_->answer(parsed.request);
  }

  Answer predict(const std::string& body, const std::string& query = "") const {
    return ask("POST", "/predict" + query, body, "Content-Type: application/json; charset=utf-8\r\n");
  }

  /// The answer is a refusal with this status that says these words.
  static void expect_refused(const Answer& answer, int status, const std::vector<std::string>& words) {
    EXPECT_EQ(answer.status, status) << answer.body;
    const json said = json::parse(answer.body);
    EXPECT_FALSE(said.at("error").get<std::string>().empty());
    EXPECT_FALSE(said.at("remedy").get<std::string>().empty());
    for (const std::string& word : words) EXPECT_NE(answer.body.find(word), std::string::npos) << answer.body;
  }

  static std::string header(const Answer& answer, const std::string& name) {
    for (const auto& [known, value] : answer.headers)
      if (known == name) return value;
    return "";
  }

  ServeRequest request_;
  std::unique_ptr<Router> router_;
};

const std::string kRows = "a,b,city\n0.25,1.5,Bern\n-3,,Gen\xc3\xa8ve\n1e10,0.1,Basel\n,2,\n";
const std::string kJsonRows =
    "[{\"a\": 0.25, \"b\": 1.5, \"city\": \"Bern\"}, {\"a\": -3, \"b\": null, \"city\": \"Gen\xc3\xa8ve\"},"
    "{\"a\": \"1e10\", \"b\": 0.1, \"city\": \"Basel\"}, {\"a\": null, \"b\": 2, \"city\": \"\"}]";

PredictOptions with_interval() {
  PredictOptions options;
  options.intervals.interval = 0.8;
  return options;
}

TEST_F(RouterTest, NumbersAreThoseOfTheModel) {
  serve("y");
  const auto served = router_->model();
  const Answer answer = predict(kJsonRows, "?interval=0.8");
  ASSERT_EQ(answer.status, 200) << answer.body;
  const json said = json::parse(answer.body);
  ASSERT_EQ(said["predictions"].size(), 4U);
  Index row = 0;
  served->model.for_each_prediction(csv_text(kRows, "rows"), with_interval(), [&](const PredictionBlock& block) {
    for (; row < block.rows(); ++row) {
      const json& one = said["predictions"][static_cast<std::size_t>(row)];
      EXPECT_NEAR(one["values"]["y"].get<double>(), block.values(row, 0), 1e-12 * (1 + std::abs(block.values(row, 0))));
      EXPECT_NEAR(one["interval"]["y"][0].get<double>(), block.lower(row, 0),
                  1e-11 * (1 + std::abs(block.lower(row, 0))));
      EXPECT_NEAR(one["interval"]["y"][1].get<double>(), block.upper(row, 0),
                  1e-11 * (1 + std::abs(block.upper(row, 0))));
      EXPECT_FALSE(one.contains("probabilities"));
    }
  });
  EXPECT_EQ(row, 4);
  EXPECT_EQ(said["notes"].size(), 2U) << "missing cells and an unseen category: " << answer.body;
  EXPECT_EQ(said["model"], served->id);
}

TEST_F(RouterTest, ClassesHaveProbabilitiesAndSets) {
  for (const char* target : {"yes", "kind"}) {
    serve(target);
    const auto served = router_->model();
    const std::vector<std::string>& classes = served->model.target().classes;
    const json said = json::parse(predict(kJsonRows, "?interval=0.8").body);
    served->model.for_each_prediction(csv_text(kRows, "rows"), with_interval(), [&](const PredictionBlock& block) {
      for (Index i = 0; i < block.rows(); ++i) {
        const json& one = said["predictions"][static_cast<std::size_t>(i)];
        EXPECT_EQ(one["values"][target], classes[static_cast<std::size_t>(block.values(i, 0))]);
        std::vector<std::string> set;
        for (std::size_t k = 0; k < classes.size(); ++k) {
          EXPECT_NEAR(one["probabilities"][classes[k]].get<double>(), block.probabilities(i, static_cast<Index>(k)),
                      1e-12);
          if (block.sets(i, static_cast<Index>(k)) == 1) set.push_back(classes[k]);
        }
        EXPECT_EQ(one["set"].get<std::vector<std::string>>(), set);
      }
    });
  }
}

TEST_F(RouterTest, CsvIsWhatPredictWrites) {
  for (const char* target : {"y", "kind"}) {
    serve(target);
    const Model model = router_->model()->model;
    const PredictedColumns columns = {.proba = model.has_probabilities(), .interval = true, .rows = true};
    CarriedColumns kept(csv_text(kRows, "rows"), "city,a");
    std::string expected;
    PredictedTable table(model, columns, [&](std::vector<std::string> names, const std::vector<CellType>&) {
      return TableWriter(expected, std::move(names));
    });
    model.for_each_prediction(kept.data(), with_interval(), [&](const PredictionBlock& block) {
      table.append(block, {kept.names(), kept.take(block.rows())});
    });
    table.commit(kept.names());
    const std::string query = "?interval=0.8&rows=1&keep=city%2Ca" + std::string(columns.proba ? "&proba=true" : "");
    const Answer answer = ask("POST", "/predict" + query, kRows, "Content-Type: text/csv\r\n");
    EXPECT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(answer.body, expected);
    EXPECT_EQ(answer.type, "text/csv; charset=utf-8");
    EXPECT_NE(header(answer, "Weft-Note"), "");
  }
}

TEST_F(RouterTest, ContributionsAddUpToThePrediction) {
  serve("y");
  const json predicted = json::parse(predict(kJsonRows).body)["predictions"];
  for (const auto& [type, body] : {std::pair{"application/json", kJsonRows}, {"text/csv", kRows}}) {
    const Answer answer = ask("POST", "/explain", body, std::string("Content-Type: ") + type + "\r\n");
    ASSERT_EQ(answer.status, 200) << answer.body;
    const json rows = json::parse(answer.body)["explanations"];
    ASSERT_EQ(rows.size(), 4U);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double sum = rows[i]["base"][0];
      for (const json& part : rows[i]["variables"]) sum += part["value"][0].get<double>();
      const double value = predicted[i]["values"]["y"];
      EXPECT_NEAR(sum, value, 1e-9 * (1 + std::abs(value)));
    }
  }
}

TEST_F(RouterTest, MistakesHaveAStatusAPlaceAndARemedy) {
  serve("y");
  expect_refused(ask("GET", "/nothing"), 404, {"/openapi.json"});
  expect_refused(ask("GET", "/../../etc/passwd"), 404, {});
  const Answer method = ask("GET", "/predict");
  expect_refused(method, 405, {"POST"});
  EXPECT_EQ(header(method, "Allow"), "POST");
  EXPECT_EQ(header(ask("POST", "/health"), "Allow"), "GET, HEAD");
  expect_refused(ask("OPTIONS", "/predict"), 405, {});
  expect_refused(ask("POST", "/predict", "a=1", "Content-Type: application/x-www-form-urlencoded\r\n"), 415,
                 {"text/csv"});
  expect_refused(ask("POST", "/predict", "x", "Content-Type: text/csv\r\nContent-Encoding: gzip\r\n"), 415, {});
  expect_refused(predict("{\"a\": 1}"), 422, {"row 1", "'b'"});
  expect_refused(predict("[{\"a\": 1, \"b\": \"two\", \"city\": \"Bern\"}]"), 422, {"row 1", "'b'", "two"});
  expect_refused(predict(kJsonRows, "?intervall=0.9"), 400, {"intervall", "interval_by_class"});
  expect_refused(predict(kJsonRows, "?interval=2"), 400, {"interval"});
  expect_refused(predict(kJsonRows, "?interval=much"), 400, {"interval"});
  expect_refused(predict(kJsonRows, "?keep=a"), 400, {"keep", "CSV"});
  expect_refused(predict(kJsonRows, "?interval_by_class=1"), 400, {"interval_by_class"});
  expect_refused(ask("POST", "/predict?proba=1", kRows, "Content-Type: text/csv\r\n"), 400, {"proba"});
  expect_refused(ask("POST", "/predict", "a,b\n1,2\n", "Content-Type: text/csv\r\n"), 422, {"city"});
  expect_refused(ask("POST", "/predict", "a,b,city\n1,2,x\n1,x,Bern\n", "Content-Type: text/csv\r\n"), 422, {"body"});
  expect_refused(ask("POST", "/explain?x=1", kJsonRows, "Content-Type: application/json\r\n"), 400, {"question mark"});
}

TEST_F(RouterTest, RowsHaveALimit) {
  request_.options.max_rows = 3;
  serve("y");
  expect_refused(predict(kJsonRows), 413, {"more than 3 rows", "--max-rows"});
  expect_refused(ask("POST", "/predict", kRows, "Content-Type: text/csv\r\n"), 413, {"more than 3 rows"});
  std::string many = "a,b,city\n";
  for (int i = 0; i < 200; ++i) many += "1,2,Bern\n";
  expect_refused(ask("POST", "/explain", many, "Content-Type: text/csv\r\n"), 413, {"more than 100 rows"});
}

TEST_F(RouterTest, WhatTakesTooLongIsStopped) {
  serve("y");
  const std::string bytes =
      "POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
      std::to_string(kJsonRows.size()) + "\r\n\r\n" + kJsonRows;
  const std::atomic<bool> cancel = true;
  const Answer answer = router_->answer(parse_request(bytes).request, &cancel);
  expect_refused(answer, 503, {"--max-time"});
  EXPECT_EQ(header(answer, "Retry-After"), "1");
}

TEST_F(RouterTest, ATokenIsAskedFor) {
  request_.token = "0123456789abcdef";
  serve("y");
  for (const char* path : {"/model", "/metrics", "/openapi.json"}) {
    const Answer answer = ask("GET", path);
    expect_refused(answer, 401, {"Bearer"});
    EXPECT_EQ(header(answer, "WWW-Authenticate"), "Bearer");
    for (const char* wrong :
         {"0123456789abcdeg", "0123456789abcde", "0123456789abcdef0", "", "0123456789abcdef 0123456789abcdef"})
      EXPECT_EQ(ask("GET", path, "", "Authorization: Bearer " + std::string(wrong) + "\r\n").status, 401) << wrong;
    EXPECT_EQ(ask("GET", path, "", "Authorization: 0123456789abcdef\r\n").status, 401);
    EXPECT_EQ(ask("GET", path, "", "authorization: bearer 0123456789abcdef\r\n").status, 200);
  }
  EXPECT_EQ(predict(kJsonRows).status, 401);
  for (const char* path : {"/health", "/", "/serve.js", "/page.css"}) EXPECT_EQ(ask("GET", path).status, 200) << path;
}

TEST(SameSecret, ComparesAll) {
  EXPECT_TRUE(same_secret("secret", "secret"));
  EXPECT_TRUE(same_secret("", ""));
  for (const char* given : {"", "s", "secreT", "Secret", "secretsecret"})
    EXPECT_FALSE(same_secret(given, "secret")) << given;
  EXPECT_FALSE(same_secret("secret", ""));
}

TEST_F(RouterTest, PagesOfOtherSitesAreKeptOut) {
  serve("y");
  const auto status = [&](const std::string& host, const std::string& headers) {
    return router_->answer(parse_request("GET /health HTTP/1.1\r\nHost: " + host + "\r\n" + headers + "\r\n").request)
        .status;
  };
  for (const char* host : {"localhost", "localhost:8080", "127.0.0.1:80", "[::1]:80"})
    EXPECT_EQ(status(host, ""), 200) << host;
  EXPECT_EQ(status("evil.example", ""), 421) << "a name that was made to mean this machine";
  EXPECT_EQ(status("localhost.evil.example:8080", ""), 421);
  EXPECT_EQ(status("localhost:8080", "Origin: http://localhost:8080\r\n"), 200);
  for (const char* origin : {"https://evil.example", "null", "http://localhost:8081", "localhost:8080"})
    EXPECT_EQ(status("localhost:8080", std::string("Origin: ") + origin + "\r\n"), 403) << origin;
  request_.options.allow_origin = "https://good.example";
  const Answer flight = ask("OPTIONS", "/predict", "", "Origin: https://good.example\r\n");
  EXPECT_EQ(flight.status, 204);
  EXPECT_EQ(header(flight, "Access-Control-Allow-Origin"), "https://good.example");
  EXPECT_EQ(header(flight, "Access-Control-Allow-Methods"), "POST");
  EXPECT_EQ(header(ask("GET", "/health", "", "Origin: https://good.example\r\n"), "Access-Control-Allow-Origin"),
            "https://good.example");
  EXPECT_EQ(ask("OPTIONS", "/predict", "", "Origin: https://evil.example\r\n").status, 403);
}

TEST_F(RouterTest, AModelCanBeExchanged) {
  serve("y");
  const std::string before = router_->model()->id;
  const json first = json::parse(predict(kJsonRows).body);
  router_->set_model(std::make_shared<const ServedModel>(served_sample("z"), request_, weft::Run{}));
  const json second = json::parse(predict(kJsonRows).body);
  EXPECT_EQ(first["model"], before);
  EXPECT_NE(second["model"], before);
  EXPECT_TRUE(second["predictions"][0]["values"].contains("z"));
}

TEST_F(RouterTest, DescribesTheModel) {
  serve("kind");
  const json said = json::parse(ask("GET", "/model").body);
  EXPECT_EQ(said["task"], "multiclass");
  EXPECT_EQ(said["classes"], (std::vector<std::string>{"p", "q", "r"}));
  EXPECT_EQ(said["intervals"], true);
  ASSERT_EQ(said["inputs"].size(), 3U);
  EXPECT_EQ(said["inputs"][0]["kind"], "number");
  EXPECT_LT(said["inputs"][0]["low"].get<double>(), said["inputs"][0]["high"].get<double>());
  EXPECT_EQ(said["inputs"][2]["kind"], "category");
  EXPECT_EQ(said["inputs"][2]["categories"].size(), 3U);
  json row;
  for (const json& input : said["inputs"]) row[input["name"]] = input["typical"];
  EXPECT_EQ(predict(row.dump()).status, 200) << "typical cells are a row";
}

TEST(InputColumns, HaveTypicalCells) {
  const Data data = csv_text("day,yes,kind,x,y\n2020-01-01,no,a,1,1\n2020-01-05,yes,b,2,2\n2020-01-09,yes,b,6,3\n",
                             "table", {.target = "y"});
  FitOptions options;
  options.method = LeastSquaresOptions{};
  const std::vector<InputColumn> columns =
      input_columns(fit({.train = data, .family = sample_family("rw-relu"), .fit = options}));
  ASSERT_EQ(columns.size(), 4U);
  EXPECT_EQ(columns[0].typical, "2020-01-05");
  EXPECT_EQ(columns[1].typical, "true");
  EXPECT_EQ(columns[2].typical, "b");
  EXPECT_EQ(columns[3].typical, "3");
}

/// What "#/a/b" in a document means.
const json* referred(const json& document, const std::string& reference) {
  const json::json_pointer place(reference.substr(1));
  return document.contains(place) ? &document[place] : nullptr;
}

void expect_references(const json& document, const json& part) {
  if (part.is_object() && part.contains("$ref")) {
    EXPECT_NE(referred(document, part["$ref"]), nullptr) << part;
  }
  if (part.is_structured())
    for (const json& inner : part) expect_references(document, inner);
}

TEST_F(RouterTest, TheDescriptionOfTheInterfaceHolds) {
  request_.token = "0123456789abcdef";
  serve("y");
  const std::string bearer = "Authorization: Bearer 0123456789abcdef\r\n";
  const json document = json::parse(ask("GET", "/openapi.json", "", bearer).body);
  EXPECT_EQ(document["openapi"], "3.1.0");
  expect_references(document, document);
  for (const auto& [path, operations] : document["paths"].items())
    for (const auto& [method, operation] : operations.items()) {
      const std::string upper = method == "get" ? "GET" : "POST";
      const int status = ask(upper, path, "", bearer).status;
      EXPECT_EQ(status, upper == "GET" ? 200 : 415) << path << " is there, for this method";
      EXPECT_TRUE(operation.contains("responses"));
    }
  for (const json& parameter : document["paths"]["/predict"]["post"]["parameters"])
    EXPECT_NE(parameter["name"], "") << "each is an option of /predict";
  const json& row = *referred(document, "#/components/schemas/Row");
  EXPECT_EQ(row["required"], (std::vector<std::string>{"a", "b", "city"}));
}

TEST_F(RouterTest, ThePageLoadsNothingFromElsewhere) {
  serve("y");
  const Answer page = ask("GET", "/");
  EXPECT_EQ(page.type, "text/html; charset=utf-8");
  const std::string policy = header(page, "Content-Security-Policy");
  EXPECT_NE(policy.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(policy.find("unsafe"), std::string::npos);
  EXPECT_NE(policy.find("frame-ancestors 'none'"), std::string::npos);
  for (std::size_t at = page.body.find("src=\""); at != std::string::npos; at = page.body.find("src=\"", at + 1)) {
    const std::string file = page.body.substr(at + 5, page.body.find('"', at + 5) - at - 5);
    EXPECT_EQ(file.find(':'), std::string::npos) << file;
    if (!file.starts_with("vega")) {
      EXPECT_EQ(ask("GET", "/" + file).status, 200) << file;
    }
  }
  EXPECT_EQ(page.body.find("<style"), std::string::npos);
  EXPECT_EQ(page.body.find("onclick"), std::string::npos);
}

TEST_F(RouterTest, CountsWhatItAnswers) {
  serve("y");
  predict(kJsonRows);
  predict(kJsonRows);
  predict("no");
  ask("GET", "/none");
  const std::string text = ask("GET", "/metrics").body;
  EXPECT_NE(text.find("\nweft_requests_total{route=\"/predict\",status=\"200\"} 2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nweft_requests_total{route=\"/predict\",status=\"422\"} 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nweft_requests_total{route=\"other\",status=\"404\"} 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nweft_request_seconds_count{route=\"/predict\"} 3\n"), std::string::npos) << text;
  EXPECT_NE(text.find("weft_request_seconds_bucket{route=\"/predict\",le=\"+Inf\"} 3\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nprocess_resident_memory_bytes "), std::string::npos) << text;
}

TEST_F(RouterTest, HealthSaysWhetherTheFileCanBeRead) {
  serve("y");
  EXPECT_EQ(json::parse(ask("GET", "/health").body), json({{"status", "ok"}}));
  router_->set_stale(true);
  EXPECT_TRUE(json::parse(ask("GET", "/health").body).contains("model"));
}

TEST(AnswerTest, HasTheHeadersOfEveryAnswer) {
  std::string bytes;
  append_answer({.status = 404, .body = "{}"}, false, true, bytes);
  EXPECT_TRUE(bytes.starts_with("HTTP/1.1 404 Not Found\r\n"));
  for (const char* line : {"\r\nContent-Length: 2\r\n", "\r\nX-Content-Type-Options: nosniff\r\n",
                           "\r\nCache-Control: no-store\r\n", "\r\nConnection: close\r\n\r\n{}"})
    EXPECT_NE(bytes.find(line), std::string::npos) << bytes;
  bytes.clear();
  append_answer({.body = "{}"}, true, false, bytes);
  EXPECT_TRUE(bytes.ends_with("\r\n\r\n")) << "HEAD has no body";
}

}  // namespace
}  // namespace weft::testing
