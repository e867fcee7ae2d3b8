#include "serve/event_loop.hpp"

#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace weft::detail {

namespace {

constexpr int kMostEvents = 256;
constexpr int kSweepMilliseconds = 100;

}  // namespace

EventLoop::EventLoop(const Router& router, Workers& workers, const ConnectionLimits& limits)
    : router_(router),
      workers_(workers),
      limits_(limits),
      poll_(::epoll_create1(EPOLL_CLOEXEC)),
      wake_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  epoll_event event = {.events = EPOLLIN, .data = {.u64 = 0}};
  if (poll_ < 0 || wake_ < 0 || ::epoll_ctl(poll_, EPOLL_CTL_ADD, wake_, &event) != 0)
    throw Error(ErrorKind::file, fmt::format("the system gives no event queue ({})", std::strerror(errno)), {},
                "allow more open files (ulimit -n)");
}

EventLoop::~EventLoop() {
  connections_.clear();
  ::close(poll_);
  ::close(wake_);
}

void EventLoop::wake() const {
  const std::uint64_t one = 1;
  static_cast<void>(::write(wake_, &one, sizeof one) == sizeof one);  // full: it wakes all the same
}

void EventLoop::add(int socket) {
  {
    const std::lock_guard lock(mutex_);
    added_.push_back(socket);
  }
  wake();
}

void EventLoop::run(const std::atomic<bool>& ending) {
  std::array<epoll_event, kMostEvents> events;
  ServeClock::time_point swept = ServeClock::now();
  for (;;) {
    const bool last = ending;
    const int count = ::epoll_wait(poll_, events.data(), kMostEvents, kSweepMilliseconds);
    if (ending && !last) sweep(true);  // what is answered from now on says that it is the last answer
    for (int k = 0; k < count; ++k) {
      const std::uint64_t id = events[static_cast<std::size_t>(k)].data.u64;
      const auto found = connections_.find(id);
      if (id == 0)
        take_mail();
      else if (found != connections_.end())
        serve(*found->second, id, events[static_cast<std::size_t>(k)].events);
    }
    if (last || ServeClock::now() - swept > std::chrono::milliseconds(kSweepMilliseconds)) {
      swept = ServeClock::now();
      take_mail();
      sweep(last);
      if (last && connections_.empty()) return;
    }
  }
}

void EventLoop::take_mail() {
  std::uint64_t count = 0;
  static_cast<void>(::read(wake_, &count, sizeof count) == sizeof count);
  std::vector<int> added;
  std::vector<Done> done;
  {
    const std::lock_guard lock(mutex_);
    added.swap(added_);
    done.swap(done_);
  }
  for (const int socket : added) open(socket);
  for (Done& one : done) {
    const auto found = connections_.find(one.connection);
    if (found == connections_.end()) continue;  // the client has gone
    found->second->finish(one.answer, ServeClock::now());
    serve(*found->second, one.connection, 0);
  }
}

void EventLoop::open(int socket) {
  const std::uint64_t id = next_id_++;
  auto connection = std::make_unique<Connection>(socket, id, router_, limits_, ServeClock::now());
  watch(EPOLL_CTL_ADD, *connection, id);
  connections_.emplace(id, std::move(connection));
}

void EventLoop::serve(Connection& connection, std::uint64_t id, std::uint32_t events) {
  const ServeClock::time_point now = ServeClock::now();
  if ((events & (EPOLLERR | EPOLLHUP)) != 0) connection.drop();
  if ((events & EPOLLIN) != 0 && connection.wants_to_receive() && !connection.over()) connection.receive(now);
  if (!connection.over()) connection.answer([this](const std::shared_ptr<Job>& job) { return hand_over(job); });
  settle(connection, id);
}

void EventLoop::settle(Connection& connection, std::uint64_t id) {
  if (!connection.over()) return watch(EPOLL_CTL_MOD, connection, id);
  connections_.erase(id);  // closes the socket, which takes it out of the queue
  --router_.metrics().connections;
}

void EventLoop::watch(int operation, const Connection& connection, std::uint64_t id) const {
  epoll_event event = {.events = 0, .data = {.u64 = id}};
  if (connection.wants_to_receive()) event.events |= EPOLLIN;
  if (connection.wants_to_send()) event.events |= EPOLLOUT;
  ::epoll_ctl(poll_, operation, connection.socket(), &event);
}

bool EventLoop::hand_over(const std::shared_ptr<Job>& job) {
  return workers_.submit([this, job] {
    const ParsedRequest parsed = parse_request(job->bytes, limits_.request);
    Answer answer = router_.answer(parsed.request, &job->cancel);
    {
      const std::lock_guard lock(mutex_);
      done_.push_back({job->connection, std::move(answer)});
    }
    wake();
  });
}

void EventLoop::sweep(bool ending) {
  const ServeClock::time_point now = ServeClock::now();
  std::vector<std::uint64_t> over;
  for (const auto& [id, connection] : connections_) {
    connection->check_times(now);
    if (ending) connection->end(now);
    if (connection->over()) over.push_back(id);
  }
  for (const std::uint64_t id : over) settle(*connections_.at(id), id);
  if (ending)
    for (const auto& [id, connection] : connections_) watch(EPOLL_CTL_MOD, *connection, id);
}

}  // namespace weft::detail
