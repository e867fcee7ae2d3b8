// A server that runs as a process of its own, and clients that send it what a test wants.
#pragma once

#include "cli/run_weft.hpp"

#include <cerrno>
#include <chrono>
#include <cmath>
#include <memory>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace weft::testing {

/// An upper limit of every wait, not a pause.
inline constexpr auto kPatience = std::chrono::seconds(120);

/// Whether it comes to hold.
template <class Condition>
bool eventually(const Condition& holds) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

struct Reply {
  int status = 0;  ///< 0: the connection ended before
  std::string head = {};
  std::string body = {};
};

/// A connection that sends what it is told to.
class Client {
 public:
  explicit Client(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval patience = {.tv_sec = kPatience.count(), .tv_usec = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("cannot connect");
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// Ends early where the server has closed.
  void send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  void finish_sending() const { ::shutdown(socket_, SHUT_WR); }

  Reply receive(bool with_body = true) {
    std::size_t end = 0;
    while ((end = bytes_.find("\r\n\r\n")) == std::string::npos)
      if (!more()) return {};
    Reply reply{.status = std::stoi(bytes_.substr(9, 3)), .head = bytes_.substr(0, end + 2)};
    const std::size_t length = reply.head.find("Content-Length: ");
    const std::size_t size = length == std::string::npos || !with_body ? 0 : std::stoul(reply.head.substr(length + 16));
    bytes_.erase(0, end + 4);
    while (bytes_.size() < size)
      if (!more()) return {};
    reply.body = bytes_.substr(0, size);
    bytes_.erase(0, size);
    return reply;
  }

  /// Whether the server closes, and nothing comes before.
  bool ended() { return bytes_.empty() && !more(); }

 private:
  bool more() {
    char buffer[65536];
    ssize_t count = 0;
    do  // a socket with a timeout wakes up when the process was stopped and goes on
      count = ::recv(socket_, buffer, sizeof buffer, 0);
    while (count < 0 && errno == EINTR);
    if (count > 0) bytes_.append(buffer, static_cast<std::size_t>(count));
    return count > 0;
  }

  int socket_;
  std::string bytes_;
};

inline std::string request(const std::string& method, const std::string& target, const std::string& body = "",
                           const std::string& headers = "") {
  return method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n" + headers +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

inline std::string post(const std::string& body, const std::string& type = "application/json",
                        const std::string& query = "") {
  return request("POST", "/predict" + query, body, "Content-Type: " + type + "\r\n");
}

class ServeTest : public WeftTest {
 protected:
  void TearDown() override { end(); }

  /// Asks the server to end, which it does without an error.
  void end() {
    if (!server_) return;
    server_->send(SIGTERM);
    const Outcome outcome = server_->wait();
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    server_.reset();
  }

  /// Port 0: one that is free.
  void serve(Words options = {}, int port = 0) {
    Words words = {"serve", "m.weft", "--port", std::to_string(port), "--threads", "2"};
    words.insert(words.end(), options.begin(), options.end());
    server_ = std::make_unique<Child>(folder(), words);
    ASSERT_TRUE(eventually([&] { return server_->out_so_far().ends_with("\n") || !server_->running(); }));
    const std::string said = server_->out_so_far();
    ASSERT_NE(said.find("http://127.0.0.1:"), std::string::npos) << server_->wait().err;
    port_ = std::stoi(said.substr(said.rfind(':') + 1));
  }

  Reply ask(const std::string& bytes) const {
    Client client(port_);
    client.send(bytes);
    return client.receive();
  }

  std::string metric(const std::string& name) const {
    const std::string text = "\n" + ask(request("GET", "/metrics")).body;
    const std::size_t at = text.find("\n" + name + " ");
    return at == std::string::npos ? ""
                                   : text.substr(at + name.size() + 2, text.find('\n', at + 1) - at - name.size() - 2);
  }

  /// A table with every kind of column, some cells missing.
  std::string table(int rows, bool target) const {
    std::string text = target ? "when,size,works,city,price\n" : "when,size,works,city\n";
    for (int i = 0; i < rows; ++i) {
      text +=
          "20" + std::to_string(10 + i % 9) + "-0" + std::to_string(1 + i % 8) + "-1" + std::to_string(i % 10) + ",";
      text += (i % 11 == 3 ? "NA" : std::to_string(std::sin(i * 0.7) * 40)) + ",";
      text += std::string(i % 3 == 0 ? "yes" : "no") + ",";
      text += i % 13 == 5 ? "" : i % 4 == 0 ? "Ulm" : i % 4 == 1 ? "\"Bern, CH\"" : "Lyon";
      if (target) text += "," + std::to_string(i % 5 + std::cos(i * 0.3));
      text += "\n";
    }
    return text;
  }

  void train(const std::string& model, const std::string& seed = "1", const Words& options = {}) {
    write("train.csv", table(300, true));
    Words words = {"train", "train.csv", "--target", "price",   "--fast", "--features",
                   "40",    "--seed",    seed,       "--model", model,    "--quiet"};
    words.insert(words.end(), options.begin(), options.end());
    weft_out(words);
  }

  std::unique_ptr<Child> server_;
  int port_ = 0;
};

}  // namespace weft::testing
