// A thread's connections: waits until any of their sockets is ready, and answers short requests itself.
#pragma once

#include "serve/connection.hpp"
#include "serve/router.hpp"
#include "serve/workers.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace weft::detail {

class EventLoop {
 public:
  EventLoop(const Router& router, Workers& workers, const ConnectionLimits& limits);
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  /// Takes over a socket; from any thread.
  void add(int socket);
  /// Until `ending` is set and every request under way has been answered.
  void run(const std::atomic<bool>& ending);

 private:
  struct Done {
    std::uint64_t connection;
    Answer answer;
  };

  void wake() const;
  void take_mail();
  void open(int socket);
  void serve(Connection& connection, std::uint64_t id, std::uint32_t events);
  void settle(Connection& connection, std::uint64_t id);
  void watch(int operation, const Connection& connection, std::uint64_t id) const;
  bool hand_over(const std::shared_ptr<Job>& job);
  void sweep(bool ending);

  const Router& router_;
  Workers& workers_;
  const ConnectionLimits& limits_;
  int poll_;
  int wake_;
  std::uint64_t next_id_ = 1;  // 0: wake_
  std::unordered_map<std::uint64_t, std::unique_ptr<Connection>> connections_;
  std::mutex mutex_;
  std::vector<int> added_;
  std::vector<Done> done_;
};

}  // namespace weft::detail
