#include "serve/connection.hpp"

#include "serve/router.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include <sys/socket.h>
#include <unistd.h>

namespace weft::detail {

namespace {

constexpr std::size_t kReadBytes = 65536;
constexpr std::size_t kMostUnsent = std::size_t{1} << 20;  // further requests wait until the client takes answers
constexpr double kLingerSeconds = 1;

bool would_block(int code) {
  return code == EAGAIN || code == EWOULDBLOCK || code == EINTR;
}

}  // namespace

Connection::Connection(int socket, std::uint64_t id, const Router& router, const ConnectionLimits& limits, Time now)
    : socket_(socket), id_(id), router_(router), limits_(limits), since_(now) {}

Connection::~Connection() {
  if (job_) job_->cancel = true;
  *limits_.buffered -= counted_;
  ::close(socket_);
}

bool Connection::wants_to_receive() const {
  return lingering_ || (!job_ && !peer_done_ && !closing_ && out_.size() - sent_ < kMostUnsent);
}

void Connection::receive(Time now) {
  static thread_local std::array<char, kReadBytes> buffer;
  const ssize_t count = ::recv(socket_, buffer.data(), buffer.size(), 0);
  if (count < 0 && would_block(errno)) return;
  if (count < 0 || (count == 0 && lingering_)) return drop();
  if (lingering_) return;
  if (count == 0) {
    peer_done_ = true;
    return;
  }
  if (in_.empty()) since_ = now;
  in_.append(buffer.data(), static_cast<std::size_t>(count));
  count_buffered();
  if (limits_.buffered->load() > limits_.most_buffered && in_.size() > kReadBytes)
    refuse(503, "requests that are being answered fill the memory", "try again in a second");
}

void Connection::count_buffered() {
  *limits_.buffered += in_.capacity() - counted_;
  counted_ = in_.capacity();
}

void Connection::send() {
  while (wants_to_send()) {
    const ssize_t count = ::send(socket_, out_.data() + sent_, out_.size() - sent_, MSG_NOSIGNAL);
    if (count < 0 && would_block(errno)) return;
    if (count < 0) return drop();
    sent_ += static_cast<std::size_t>(count);
    since_ = ServeClock::now();
  }
  out_.clear();
  if (out_.capacity() > kReadBytes) std::string().swap(out_);
  sent_ = 0;
  const bool finished = closing_ || ((peer_done_ || ending_) && !job_ && in_.empty());
  if (!finished || lingering_) return;
  if (peer_done_) return drop();
  // Closed at once, what the client still sends would be answered by a reset, which takes the answer along.
  ::shutdown(socket_, SHUT_WR);
  lingering_ = true;
  since_ = ServeClock::now();
}

Connection::Next Connection::take_request() {
  held_back_ = out_.size() - sent_ >= kMostUnsent;
  if (job_ || closing_ || over_ || held_back_) return Next::wait;
  const std::string_view waiting = std::string_view(in_).substr(answered_);
  if (waiting.empty()) {
    forget_answered();
    return Next::wait;
  }
  const ParsedRequest parsed = parse_request(waiting, limits_.request);
  if (parsed.state == ParseState::refused) {
    router_.metrics().count("refused", parsed.refusal.status, 0);
    append(refusal(parsed.refusal.status, parsed.refusal.message, parsed.refusal.remedy), false, true);
    return Next::wait;
  }
  head_complete_ = parsed.size > 0;
  if (parsed.state == ParseState::incomplete) {
    if (peer_done_) {
      drop();  // the rest will not come, and nobody may be there to read why
    } else if (head_complete_ && parsed.request.expects_continue && !continued_) {
      out_ += "HTTP/1.1 100 Continue\r\n\r\n";
      continued_ = true;
    }
    forget_answered();
    return Next::wait;
  }
  continued_ = false;
  head_complete_ = false;
  since_ = ServeClock::now();
  const bool keep_alive = parsed.request.keep_alive && !ending_;
  const bool with_body = parsed.request.method != "HEAD";
  if (router_.takes_long(parsed.request)) {
    job_keeps_alive_ = keep_alive;
    job_has_body_ = with_body;
    handing_over_ = parsed.size;
    return Next::hand_over;
  }
  append(router_.answer(parsed.request), keep_alive, with_body);
  answered_ += parsed.size;
  return Next::again;
}

std::shared_ptr<Job> Connection::make_job(std::size_t size) {
  job_ = std::make_shared<Job>();
  job_->connection = id_;
  if (answered_ == 0 && size == in_.size()) {
    job_->bytes = std::move(in_);
    in_.clear();
  } else {
    job_->bytes = in_.substr(answered_, size);
    answered_ += size;
  }
  forget_answered();
  return job_;
}

void Connection::forget_answered() {
  in_.erase(0, answered_);
  answered_ = 0;
  if (in_.empty() && in_.capacity() > kReadBytes) std::string().swap(in_);
  count_buffered();
}

void Connection::append(const Answer& answer, bool keep_alive, bool with_body) {
  append_answer(answer, keep_alive, with_body, out_);
  if (!keep_alive) closing_ = true;
}

void Connection::refuse(int status, const char* message, const char* remedy) {
  router_.metrics().count("refused", status, 0);
  append(refusal(status, message, remedy), false, true);
}

void Connection::finish(const Answer& answer, Time now) {
  job_ = nullptr;
  since_ = now;
  append(answer, job_keeps_alive_ && !ending_, job_has_body_);
}

void Connection::check_times(Time now) {
  const double seconds = waited(now);
  if (lingering_) {
    if (seconds > kLingerSeconds) drop();
  } else if (wants_to_send()) {
    if (seconds > limits_.send_seconds) drop();
  } else if (job_) {
    if (seconds > limits_.request_seconds) job_->cancel = true;
  } else if (in_.empty()) {
    if (seconds > limits_.idle_seconds) drop();
  } else if (seconds > (head_complete_ ? limits_.request_seconds : limits_.head_seconds)) {
    refuse(408, "the request did not arrive in time", "send it faster, or in smaller parts");
    send();
  }
}

bool Connection::has_arrived() const {
  char byte = 0;
  return ::recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

void Connection::end(Time now) {
  if (!std::exchange(ending_, true) && !job_ && in_.empty() && !wants_to_send() && !has_arrived()) drop();
  if (!job_ && !in_.empty() && waited(now) > limits_.ending_seconds) drop();
}

}  // namespace weft::detail
