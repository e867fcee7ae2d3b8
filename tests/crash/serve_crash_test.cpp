// weft serve, killed while it answers and while its model file is replaced.
#include "cli/serve_client.hpp"
#include "crash/crash_case.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace weft::testing {

namespace {

class KilledServer : public ServeTest {
 protected:
  const std::string row_ = post("{\"when\": \"2015-03-01\", \"size\": 3, \"works\": true, \"city\": \"Ulm\"}");

  void replace_model(const std::string& next) const {
    std::filesystem::copy_file(path(next), path("next"));
    std::filesystem::rename(path("next"), path("m.weft"));
  }

  /// What clients hear who ask until the connection ends: complete answers only, as others have the status 0.
  std::set<std::string> answers_until(const std::function<void()>& end) const {
    std::array<std::set<std::string>, 2> heard;
    std::vector<std::thread> threads;
    for (std::set<std::string>& own : heard)
      threads.emplace_back([&own, this, client = std::make_shared<Client>(port_)] {
        for (Reply reply = {.status = 1}; reply.status != 0;) {
          client->send(row_);
          reply = client->receive();
          if (reply.status != 0) own.insert(std::to_string(reply.status) + reply.body);
        }
      });
    end();
    for (std::thread& thread : threads) thread.join();
    heard[0].merge(heard[1]);
    return heard[0];
  }
};

TEST_F(KilledServer, LeavesNothingBehindAndStartsAgainOnItsPort) {
  train("a.weft", "1");
  train("b.weft", "2");
  std::set<std::string> right;
  for (const char* model : {"a.weft", "b.weft"}) {
    write("m.weft", text(model));
    serve({}, port_);
    const Reply reply = ask(row_);
    ASSERT_EQ(reply.status, 200) << reply.body;
    right.insert("200" + reply.body);
    end();
  }
  ASSERT_EQ(right.size(), 2U);
  std::set<std::string> all;
  const Words before = listing();
  std::mt19937_64 draws(crash_seed());
  for (int kill = 0; kill < times(6) && !HasFailure(); ++kill) {
    const std::string next = kill % 2 == 0 ? "a.weft" : "b.weft";
    const bool asked_to_end = kill % 3 == 1;
    serve({}, port_);
    const std::set<std::string> heard = answers_until([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(draws() % 100'000));
      replace_model(next);
      std::this_thread::sleep_for(std::chrono::microseconds(draws() % 600'000));  // it looks at the file every 300 ms
      server_->send(asked_to_end ? SIGTERM : SIGKILL);
    });
    EXPECT_EQ(server_->wait().exit_code, asked_to_end ? 0 : -1);
    server_.reset();
    EXPECT_TRUE(std::includes(right.begin(), right.end(), heard.begin(), heard.end())) << *heard.begin();
    EXPECT_EQ(text("m.weft"), text(next));
    EXPECT_EQ(listing(), before);
    all.insert(heard.begin(), heard.end());
    RecordProperty("kills", kill + 1);
  }
  EXPECT_EQ(all, right) << "both models answered";
  serve({}, port_);
  EXPECT_TRUE(right.contains("200" + ask(row_).body));
}

}  // namespace

}  // namespace weft::testing
