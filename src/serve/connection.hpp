// One client: bytes in, requests answered in their order, bytes out. A loop says when its socket is ready.
#pragma once

#include "serve/answer.hpp"
#include "serve/request.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace weft::detail {

class Router;

using ServeClock = std::chrono::steady_clock;

/// What every connection keeps to.
struct ConnectionLimits {
  RequestLimits request = {};
  double head_seconds = 10;                      ///< from the first byte of a request to the end of its head
  double request_seconds = 30;                   ///< to the end of its body; and, again, to its answer
  double idle_seconds = 60;                      ///< between requests
  double send_seconds = 30;                      ///< without the client taking a byte
  double ending_seconds = 5;                     ///< once the server is ending, for a request that has begun to arrive
  std::size_t most_buffered = 0;                 ///< bytes of all requests that have not been answered
  std::atomic<std::size_t>* buffered = nullptr;  ///< what they are now
};

/// A request that is answered by another thread.
struct Job {
  std::uint64_t connection;
  std::string bytes;
  std::atomic<bool> cancel = false;
};

class Connection {
 public:
  using Time = ServeClock::time_point;

  Connection(int socket, std::uint64_t id, const Router& router, const ConnectionLimits& limits, Time now);
  ~Connection();  ///< closes the socket
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int socket() const { return socket_; }

  void receive(Time now);
  void send();
  /// Answers what has arrived, or hands it over: submit(job) gives it to another thread, which calls finish() later, or
  /// returns false where too many wait.
  template <class SubmitJob>
  void answer(SubmitJob&& submit);
  /// The answer of the job that was handed over.
  void finish(const Answer& answer, Time now);
  /// Acts on times that have passed.
  void check_times(Time now);
  /// The server is ending: the answer to come is the last one.
  void end(Time now);
  void drop() { over_ = true; }

  bool over() const { return over_; }
  bool wants_to_receive() const;
  bool wants_to_send() const { return sent_ < out_.size(); }

 private:
  enum class Next { wait, again, hand_over };
  Next take_request();
  void append(const Answer& answer, bool keep_alive, bool with_body);
  void refuse(int status, const char* message, const char* remedy);
  void forget_answered();
  void count_buffered();
  bool has_arrived() const;  ///< bytes that were not received yet
  double waited(Time now) const { return std::chrono::duration<double>(now - since_).count(); }
  std::shared_ptr<Job> make_job(std::size_t size);

  int socket_;
  std::uint64_t id_;
  const Router& router_;
  const ConnectionLimits& limits_;
  std::string in_;
  std::size_t answered_ = 0;  ///< bytes of in_
  std::string out_;
  std::size_t sent_ = 0;
  std::size_t counted_ = 0;   ///< bytes of in_ in limits_.buffered
  std::shared_ptr<Job> job_;  ///< under way
  bool job_keeps_alive_ = false;
  bool job_has_body_ = true;
  std::size_t handing_over_ = 0;  ///< size of the request to hand over
  /// Of what is waited for: a request, its rest, an answer, the client to take bytes. Many answers take a while, so the
  /// clock is asked at each of them.
  Time since_;
  bool held_back_ = false;      ///< requests that have arrived wait until the client takes answers
  bool head_complete_ = false;  ///< of the request that is arriving
  bool continued_ = false;      ///< 100 was sent for it
  bool peer_done_ = false;      ///< the client sends no more
  bool closing_ = false;        ///< after what is in out_
  bool lingering_ = false;      ///< nothing more is sent; what still arrives is thrown away
  bool ending_ = false;
  bool over_ = false;
};

template <class SubmitJob>
void Connection::answer(SubmitJob&& submit) {
  do {
    for (Next next; (next = take_request()) != Next::wait;)
      if (next == Next::hand_over && !submit(make_job(handing_over_))) {
        job_ = nullptr;
        Answer busy = refusal(503, "too many requests are waiting", "try again in a second");
        busy.headers.emplace_back("Retry-After", "1");
        append(busy, job_keeps_alive_, job_has_body_);
      }
    send();
  } while (held_back_ && !wants_to_send() && !over_);
}

}  // namespace weft::detail
