// A connection over a pair of sockets, by times that the test says.
#include "serve/connection.hpp"

#include "model/sample_models.hpp"
#include "serve/router.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <memory>
#include <string>

#include <sys/socket.h>
#include <unistd.h>

namespace weft::testing {
namespace {

class ConnectionTest : public ::testing::Test {
 protected:
  ConnectionTest()
      : router_(request_, std::make_shared<const ServedModel>(Model(sample_parts("y")), request_, weft::Run{})) {
    limits_.most_buffered = std::size_t{1} << 20;
    limits_.buffered = &buffered_;
    std::array<int, 2> sockets = {};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, sockets.data()) != 0)
      throw std::runtime_error("socketpair");
    client_ = sockets[0];
    connection_ = std::make_unique<Connection>(sockets[1], 1, router_, limits_, start_);
  }
  ~ConnectionTest() override { ::close(client_); }

  /// What the client sends, all of which arrives at once, at the start.
  void arrives(const std::string& bytes) {
    ASSERT_EQ(::send(client_, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
    connection_->receive(start_);
  }
  void answer() {
    connection_->answer([](const std::shared_ptr<Job>&) { return false; });
  }
  /// What the client gets by now.
  std::string answers() const {
    std::string all;
    std::array<char, 65536> buffer = {};
    for (ssize_t count; (count = ::recv(client_, buffer.data(), buffer.size(), 0)) > 0;)
      all.append(buffer.data(), static_cast<std::size_t>(count));
    return all;
  }
  static std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
  }

  ServeRequest request_;
  Router router_;
  std::atomic<std::size_t> buffered_ = 0;
  ConnectionLimits limits_;
  const Connection::Time start_ = ServeClock::now();
  int client_ = -1;
  std::unique_ptr<Connection> connection_;
};

const std::string kRequest = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
constexpr std::chrono::seconds kHead(10);  // ConnectionLimits::head_seconds

// A machine that is slow may answer for longer than a head may take.
TEST_F(ConnectionTest, TheTimeOfAnswersIsNotThatOfTheNextRequest) {
  arrives(kRequest + kRequest + kRequest.substr(0, 20));
  answer();
  connection_->check_times(start_ + kHead + std::chrono::microseconds(1));
  EXPECT_FALSE(connection_->over());
  EXPECT_EQ(count_of(answers(), "HTTP/1.1 200 "), 2U);
  arrives(kRequest.substr(20));
  answer();
  const std::string last = answers();
  EXPECT_EQ(count_of(last, "HTTP/1.1 200 "), 1U);
  EXPECT_EQ(count_of(last, "HTTP/1.1 "), 1U);
}

TEST_F(ConnectionTest, AnEndingServerAnswersWhatHasArrivedThoughItWasNotRead) {
  ASSERT_GT(::send(client_, kRequest.data(), kRequest.size(), 0), 0);
  connection_->end(start_);
  ASSERT_FALSE(connection_->over());
  connection_->receive(start_);
  answer();
  const std::string last = answers();
  EXPECT_EQ(count_of(last, "HTTP/1.1 200 "), 1U);
  EXPECT_NE(last.find("Connection: close"), std::string::npos);
}

TEST_F(ConnectionTest, AnEndingServerLeavesAClientThatAsksNothing) {
  connection_->end(start_);
  EXPECT_TRUE(connection_->over());
}

TEST_F(ConnectionTest, AHeadThatDoesNotArriveIsRefused) {
  arrives(kRequest.substr(0, 20));
  answer();
  connection_->check_times(start_ + kHead - std::chrono::microseconds(1));
  EXPECT_EQ(answers(), "");
  connection_->check_times(start_ + kHead + std::chrono::microseconds(1));
  const std::string last = answers();
  EXPECT_EQ(count_of(last, "HTTP/1.1 408 "), 1U) << last;
  EXPECT_NE(last.find("Connection: close"), std::string::npos);
}

}  // namespace
}  // namespace weft::testing
