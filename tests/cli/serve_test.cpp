// weft serve as its clients meet it: over loopback sockets.
#include "cli/serve_client.hpp"

#include <nlohmann/json.hpp>

#include <atomic>
#include <mutex>
#include <set>

namespace weft::testing {

namespace {

using nlohmann::json;

TEST_F(ServeTest, PredictsAsTheCommandDoes) {
  train("m.weft", "1", {"--std"});
  write("new.csv", table(5000, false) + "2031-01-01,1e9,no,Oslo\n");
  serve();
  for (const std::string options : {"", "--interval 0.9", "--std --rows", "--keep city,size --interval 0.8"}) {
    Words words = {"predict", "m.weft", "new.csv"};
    std::string query;
    std::istringstream stream(options);
    for (std::string word; stream >> word;) {
      words.push_back(word);
      query += word.starts_with("--") ? (query.empty() ? "?" : "&") + word.substr(2) : "=" + word;
    }
    const Outcome command = weft(words);
    ASSERT_EQ(command.exit_code, 0) << command.err;
    const Reply reply = ask(post(text("new.csv"), "text/csv", query));
    EXPECT_EQ(reply.status, 200) << reply.body;
    EXPECT_EQ(reply.body, command.out) << options;
    EXPECT_NE(reply.head.find("Weft-Note: "), std::string::npos) << "an unseen category";
  }
}

/// The same cells one row at a time, as texts and as numbers.
TEST_F(ServeTest, RowsInJsonArePredictedAsThoseOfFiles) {
  train("m.weft");
  write("new.csv", table(200, false));
  serve();
  const std::vector<std::vector<double>> expected = csv_numbers(weft_out({"predict", "m.weft", "new.csv"}));
  std::istringstream lines(text("new.csv"));
  std::string line;
  std::getline(lines, line);
  Client client(port_);
  for (std::size_t i = 0; std::getline(lines, line); ++i) {
    std::istringstream cells(line);
    std::string when, size, works, city;
    std::getline(cells, when, ',');
    std::getline(cells, size, ',');
    std::getline(cells, works, ',');
    std::getline(cells, city);
    if (city.starts_with('"')) city = city.substr(1, city.size() - 2);
    json row = {{"when", when}, {"size", size}, {"works", works}, {"city", city}};
    if (i % 2 == 0) row["size"] = size == "NA" ? json(nullptr) : json(std::stod(size));
    client.send(post(row.dump()));
    const json said = json::parse(client.receive().body);
    const double value = said["predictions"][0]["values"]["price"];
    EXPECT_NEAR(value, expected[i][0], 1e-12 * (1 + std::abs(expected[i][0]))) << line;
  }
}

TEST_F(ServeTest, ManyRequestsOnOneConnectionAreAnsweredInOrder) {
  train("m.weft");
  serve();
  Client client(port_);
  std::string all;
  for (int k = 0; k < 50; ++k) {  // short ones, those that other threads answer, and mistakes
    const std::string row = "2015-03-1" + std::to_string(k % 10) + ",1,yes,Ulm\n";
    all += k % 3 == 0   ? request("GET", "/health")
           : k % 3 == 1 ? post("when,size,works,city\n" + row, "text/csv", "?rows&keep=when")
                        : post("{}");
  }
  client.send(all.substr(0, 1000));
  client.send(all.substr(1000));
  client.finish_sending();
  for (int k = 0; k < 50; ++k) {
    const Reply reply = client.receive();
    EXPECT_EQ(reply.status, k % 3 == 2 ? 422 : 200) << k;
    if (k % 3 == 1) {
      EXPECT_NE(reply.body.find("2015-03-1" + std::to_string(k % 10)), std::string::npos) << reply.body;
    }
  }
  EXPECT_TRUE(client.ended());
}

/// More answers than buffers hold, to a client that sends all requests before it reads any.
TEST_F(ServeTest, AClientThatReadsLateGetsEveryAnswer) {
  train("m.weft");
  serve();
  const std::string expected = ask(request("GET", "/openapi.json")).body;
  Client client(port_);
  std::string all;
  for (int k = 0; k < 2000; ++k) all += request("GET", "/openapi.json");
  std::thread sender([&] { client.send(all); });
  int same = 0;
  for (int k = 0; k < 2000; ++k) same += client.receive().body == expected ? 1 : 0;
  sender.join();
  EXPECT_EQ(same, 2000);
}

TEST_F(ServeTest, NoRequestIsLostWhenTheModelChanges) {
  train("a.weft", "1");
  train("b.weft", "2");
  write("m.weft", text("a.weft"));
  serve();
  const std::string row = R"({"when": "2015-03-04", "size": 3, "works": "no", "city": "Ulm"})";
  const std::string first = json::parse(ask(post(row)).body)["model"];
  std::atomic<bool> enough = false;
  std::atomic<int> answered = 0;
  std::mutex mutex;
  std::set<std::string> seen, wrong;
  std::vector<std::thread> clients;
  for (int k = 0; k < 3; ++k)
    clients.emplace_back([&, k] {
      Client client(port_);
      while (!enough) {
        client.send(k < 2 ? post(row) : post("when,size,works,city\n2015-03-04,3,no,Ulm\n", "text/csv"));
        const Reply reply = client.receive();
        ++answered;
        const std::lock_guard lock(mutex);
        if (reply.status != 200) wrong.insert(reply.head + reply.body);
        if (k < 2 && reply.status == 200) {
          const json said = json::parse(reply.body);
          seen.insert(said["model"].get<std::string>() + " " + said["predictions"].dump());
        }
      }
    });
  for (const char* next : {"b.weft", "a.weft", "b.weft"}) {
    const std::string reloads = metric("weft_reloads_total");
    std::filesystem::copy_file(path(next), path("next"));
    std::filesystem::rename(path("next"), path("m.weft"));
    EXPECT_TRUE(eventually([&] { return metric("weft_reloads_total") != reloads; }));
  }
  enough = true;
  for (std::thread& client : clients) client.join();
  EXPECT_TRUE(wrong.empty()) << *wrong.begin();
  EXPECT_EQ(seen.size(), 2U) << "every answer is of one model or the other";
  EXPECT_GT(answered, 20);
  EXPECT_NE(json::parse(ask(post(row)).body)["model"], first);
}

TEST_F(ServeTest, ADamagedModelFileChangesNothing) {
  train("m.weft");
  const std::string good = text("m.weft");
  serve();
  const std::string before = ask(request("GET", "/model")).body;
  write("m.weft", good.substr(0, good.size() / 2));
  EXPECT_TRUE(eventually([&] { return metric("weft_reload_failures_total") == "1"; }));
  EXPECT_EQ(ask(request("GET", "/model")).body, before);
  const Reply health = ask(request("GET", "/health"));
  EXPECT_EQ(health.status, 200);
  EXPECT_NE(health.body.find("could not be read"), std::string::npos);
  EXPECT_EQ(health.body.find(folder().string()), std::string::npos) << "no path";
  std::filesystem::remove(path("m.weft"));
  write("m.weft", good);
  EXPECT_TRUE(eventually([&] { return metric("weft_reloads_total") == "1"; }));
  EXPECT_EQ(ask(request("GET", "/health")).body, "{\"status\": \"ok\"}\n");
}

TEST_F(ServeTest, ClientsThatBehaveBadlyAreSentAway) {
  train("m.weft");
  serve({"--max-time", "1", "--max-body", "0.01"});
  EXPECT_EQ(ask("GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ").status, 408) << "and it ends by itself";
  EXPECT_EQ(ask("POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{").status, 408);
  EXPECT_EQ(ask(post(std::string(20000, ' '))).status, 413);
  const std::string chunked =
      "POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
  EXPECT_EQ(ask(chunked + "\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n").status, 422) << "a row without cells";
  EXPECT_EQ(ask(chunked + "\r\n1\r\n{}\r\n0\r\n\r\n").status, 400);
  EXPECT_EQ(ask(chunked + "Content-Length: 2\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n").status, 400);
  EXPECT_EQ(ask("GET /" + std::string(100000, 'a') + " HTTP/1.1\r\n").status, 414);
  EXPECT_EQ(ask("GET / HTTP/1.1\r\nX: " + std::string(100000, 'a') + "\r\n").status, 431);
  EXPECT_EQ(ask("hello\r\n\r\n").status, 400);
  {
    const Client gone(port_);  // closed while the server answers
    gone.send(request("GET", "/") + request("GET", "/vega.min.js") + request("GET", "/openapi.json"));
  }
  Client half(port_);
  half.send("POST /predict HTTP/1.1\r\nHost: loc");
  half.finish_sending();
  EXPECT_TRUE(half.ended());
  Client waits(port_);
  waits.send(
      "POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
      "Expect: 100-continue\r\n\r\n");
  EXPECT_EQ(waits.receive().status, 100);
  waits.send("{}");
  EXPECT_EQ(waits.receive().status, 422);
  Client looks(port_);
  looks.send(request("HEAD", "/health"));
  EXPECT_EQ(looks.receive(false).status, 200);
  EXPECT_EQ(ask(request("GET", "/health")).status, 200) << "others are served";
}

TEST_F(ServeTest, ConnectionsAreBounded) {
  train("m.weft");
  serve({"--max-connections", "3"});
  std::vector<std::unique_ptr<Client>> clients;
  for (int k = 0; k < 3; ++k) {
    clients.push_back(std::make_unique<Client>(port_));
    clients.back()->send(request("GET", "/health"));
    EXPECT_EQ(clients.back()->receive().status, 200);
  }
  Client more(port_);
  EXPECT_EQ(more.receive().status, 503);
  clients.pop_back();
  EXPECT_TRUE(eventually([&] { return ask(request("GET", "/health")).status == 200; }));
}

TEST_F(ServeTest, TokensComeFromAFileOrTheEnvironment) {
  train("m.weft");
  expect_refused({"serve", "m.weft", "--host", "0.0.0.0", "--port", "0"}, {"0.0.0.0", "no token", "--token-file"});
  expect_refused({"serve", "m.weft", "--token-file", "none"}, {"none"});
  write("short", "abc\n");
  expect_refused({"serve", "m.weft", "--token-file", "short"}, {"16 characters"});
  write("token", "0123456789abcdef0123456789\n");
  serve({"--token-file", "token"});
  EXPECT_EQ(ask(request("GET", "/model")).status, 401);
  EXPECT_EQ(ask(request("GET", "/model", "", "Authorization: Bearer 0123456789abcdef0123456789\r\n")).status, 200);
  EXPECT_EQ(ask(request("GET", "/health")).status, 200);
  end();
  setenv("WEFT_TOKEN", "fedcba9876543210", 1);
  serve();
  unsetenv("WEFT_TOKEN");
  EXPECT_EQ(ask(request("GET", "/model")).status, 401);
  EXPECT_EQ(ask(request("GET", "/model", "", "Authorization: Bearer fedcba9876543210\r\n")).status, 200);
}

TEST_F(ServeTest, MistakesOfTheCommandHaveARemedy) {
  train("m.weft");
  expect_refused({"serve", "none.weft"}, {"none.weft"});
  expect_refused({"serve", "m.weft", "--host", "example.org"}, {"example.org", "IP address"});
  expect_refused({"serve", "m.weft", "--port", "70000"}, {"--port"});
  expect_refused({"serve", "m.weft", "--background", "none.csv"}, {"none.csv"});
  serve();
  expect_refused({"serve", "m.weft", "--port", std::to_string(port_)}, {std::to_string(port_), "--port"});
}

TEST_F(ServeTest, RequestsUnderWayAreAnsweredBeforeItEnds) {
  train("m.weft");
  serve();
  const std::string row = R"({"when": "2015-03-04", "size": 3, "works": "no", "city": "Ulm"})";
  const std::string bytes = post(row);
  Client begun(port_), idle(port_);
  idle.send(request("GET", "/health"));
  EXPECT_EQ(idle.receive().status, 200);
  begun.send(bytes.substr(0, bytes.size() - 5));
  Client large(port_);
  large.send(post(table(20000, false), "text/csv"));
  server_->send(SIGTERM);
  EXPECT_TRUE(idle.ended());
  begun.send(bytes.substr(bytes.size() - 5));
  const Reply reply = begun.receive();
  EXPECT_EQ(reply.status, 200);
  EXPECT_NE(reply.head.find("Connection: close"), std::string::npos);
  EXPECT_EQ(large.receive().status, 200);
  const Outcome outcome = server_->wait();
  server_.reset();
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
}

TEST_F(ServeTest, ExplanationsCompareWithRowsThatAreGiven) {
  train("m.weft");
  serve({"--background", "train.csv"});
  EXPECT_EQ(json::parse(ask(request("GET", "/model")).body)["background_rows"], 200);
  write("one.csv", "when,size,works,city\n2015-03-04,3,no,Ulm\n");
  const Reply reply = ask(request("POST", "/explain", text("one.csv"), "Content-Type: text/csv\r\n"));
  const json said = json::parse(reply.body)["explanations"][0];
  write("both.csv", text("one.csv") + table(300, false).substr(std::string("when,size,works,city\n").size()));
  const double predicted = csv_numbers(weft_out({"predict", "m.weft", "one.csv"}))[0][0];
  EXPECT_NEAR(said["prediction"][0].get<double>(), predicted, 1e-9 * (1 + std::abs(predicted)));
  EXPECT_EQ(said["variables"].size(), 4U);
}

/// The commands of docs/serve.md that follow a line "<!-- tested -->".
TEST_F(ServeTest, TheExamplesOfTheDocumentationWork) {
  if (std::system("command -v curl > /dev/null") != 0) GTEST_SKIP() << "curl is not installed";
  const std::string page = file_text(std::filesystem::path(tests_folder()).parent_path() / "docs/serve.md");
  const std::size_t marker = page.find("<!-- tested -->\n```sh\n");
  ASSERT_NE(marker, std::string::npos);
  const std::size_t begin = page.find('\n', page.find("```sh", marker)) + 1;
  std::string script = page.substr(begin, page.find("```", begin) - begin);
  weft_out({"generate", "friedman1", "--rows", "300", "--out", "houses.csv"});
  weft_out({"train", "houses.csv", "--target", "target", "--fast", "--features", "30", "--model", "m.weft", "--quiet"});
  serve();
  const std::string address = "http://127.0.0.1:8080";
  int requests = 0;
  for (std::size_t at = script.find(address); at != std::string::npos; at = script.find(address, at + 1), ++requests)
    script.replace(at, address.size(), "http://127.0.0.1:" + std::to_string(port_));
  EXPECT_GE(requests, 3);
  const std::string curl = "curl() { command curl --fail-with-body --silent --show-error \"$@\"; }\n";
  EXPECT_EQ(shell("set -e\n" + curl + "{\n" + script + "} > answers"), 0) << script << text("answers");
}

}  // namespace

}  // namespace weft::testing
