// An HTTP server on a free port of 127.0.0.1 that answers every connection with bytes of the test's choice.
#pragma once

#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace weft::testing {

struct Reply {
  std::string bytes;   ///< head and body
  bool stall = false;  ///< stay silent afterwards instead of closing the connection
};

inline Reply reply(const std::string& status, const std::string& body, const std::string& headers = "") {
  return {"HTTP/1.1 " + status + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n" +
          headers + "\r\n" + body};
}

/// A reply whose end is missing.
inline Reply cut_off(Reply whole, std::size_t missing) {
  whole.bytes.resize(whole.bytes.size() - missing);
  return whole;
}

class LoopbackServer {
 public:
  /// `answer` gets the head of a request.
  explicit LoopbackServer(std::function<Reply(const std::string&)> answer) : answer_(std::move(answer)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const plain = reinterpret_cast<sockaddr*>(&address);
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::bind(listener_, plain, size) != 0 || ::listen(listener_, 16) != 0 ||
        ::getsockname(listener_, plain, &size) != 0)
      throw std::runtime_error("no port on the loopback");
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~LoopbackServer() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
    for (const int socket : stalled_) ::close(socket);
  }
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  std::vector<std::string> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  void serve() {
    for (int socket = -1; (socket = ::accept(listener_, nullptr, nullptr)) >= 0;) {
      const Reply answer = answer_(head_from(socket));
      for (std::size_t sent = 0; sent < answer.bytes.size();) {
        const ssize_t n = ::send(socket, answer.bytes.data() + sent, answer.bytes.size() - sent, MSG_NOSIGNAL);
        if (n <= 0) break;
        sent += static_cast<std::size_t>(n);
      }
      if (answer.stall)
        stalled_.push_back(socket);
      else
        ::close(socket);
    }
  }
  std::string head_from(int socket) {
    std::string head;
    char buffer[4096];
    while (head.find("\r\n\r\n") == std::string::npos) {
      const ssize_t n = ::recv(socket, buffer, sizeof buffer, 0);
      if (n <= 0) break;
      head.append(buffer, static_cast<std::size_t>(n));
    }
    const std::lock_guard lock(mutex_);
    requests_.push_back(head);
    return head;
  }

  std::function<Reply(const std::string&)> answer_;
  int listener_ = -1;
  int port_ = 0;
  std::vector<int> stalled_;
  mutable std::mutex mutex_;
  std::vector<std::string> requests_;
  std::thread thread_;
};

}  // namespace weft::testing
