#include <weft/serve.hpp>

#include "core/parallel.hpp"
#include "serve/event_loop.hpp"
#include "serve/listener.hpp"
#include "serve/model_watch.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace weft {

using namespace detail;

namespace {

constexpr int kAcceptMilliseconds = 100;
constexpr auto kLookAtModel = std::chrono::milliseconds(300);
constexpr std::size_t kLeastToken = 16;
constexpr std::size_t kMebibyte = std::size_t{1} << 20;

void check(const ServeRequest& request) {
  check_options(request.options);
  check_address(request.options.host);
  if (!is_loopback(request.options.host) && request.token.empty())
    throw Error(ErrorKind::option, fmt::format("others can reach {}, and no token is given", request.options.host),
                "‹host›", "put a token into a file and give that as ‹token_file›, or listen on 127.0.0.1");
  if (!request.token.empty() && request.token.size() < kLeastToken)
    throw Error(ErrorKind::option, fmt::format("the token has fewer than {} characters", kLeastToken), "‹token_file›",
                "make one by: openssl rand -hex 32");
}

ConnectionLimits limits_of(const ServeOptions& options, std::atomic<std::size_t>& buffered) {
  ConnectionLimits limits;
  limits.request.body = static_cast<std::size_t>(options.max_body * static_cast<double>(kMebibyte));
  limits.request_seconds = options.max_time;
  limits.head_seconds = std::min(limits.head_seconds, options.max_time);
  limits.most_buffered = std::max(64 * kMebibyte, 4 * limits.request.body);
  limits.buffered = &buffered;
  return limits;
}

/// Of the connections, as many as the system allows open files for.
int most_connections(int wanted, const Run& run) {
  constexpr rlim_t kOthers = 64;
  rlimit files = {};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == RLIM_INFINITY) return wanted;
  const rlim_t needed = static_cast<rlim_t>(wanted) + kOthers;
  if (files.rlim_cur < needed) {
    files.rlim_cur = std::min(needed, files.rlim_max);
    ::setrlimit(RLIMIT_NOFILE, &files);
    ::getrlimit(RLIMIT_NOFILE, &files);
  }
  if (files.rlim_cur >= needed) return wanted;
  const int possible = static_cast<int>(std::max(files.rlim_cur, kOthers + 1) - kOthers);
  run.warn(fmt::format("the system allows {} connections at a time (ulimit -n)", possible));
  return possible;
}

}  // namespace

struct Server::State {
  State(ServeRequest request_, const Run& run_)
      : request(std::move(request_)),
        run(run_),
        watch(request.model),
        router(request, std::make_shared<const ServedModel>(request.load(request.model), request, run)),
        limits(limits_of(request.options, buffered)),
        listener(request.options.host, request.options.port),
        most(most_connections(request.options.max_connections, run)) {}

  void accept(std::vector<std::unique_ptr<EventLoop>>& loops);
  void refuse(int socket) const;
  void watch_model();
  void read_model_again();

  ServeRequest request;
  Run run;
  std::atomic<bool> ending = false;
  std::atomic<std::size_t> buffered = 0;
  ModelWatch watch;  ///< from before the file is read
  Router router;
  ConnectionLimits limits;
  Listener listener;
  int most;
  std::size_t accepted = 0;
};

Server::Server(ServeRequest request, const Run& run) {
  check(request);
  state_ = std::make_unique<State>(std::move(request), run);
}

Server::~Server() = default;

int Server::port() const {
  return state_->listener.port();
}

std::string Server::url() const {
  return "http://" + authority(state_->request.options.host, port());
}

void Server::serve() {
  constexpr std::size_t kMostWaiting = 64;
  State& state = *state_;
  const SerialBlas serial_blas;
  const int count = state.run.thread_count();
  std::vector<std::unique_ptr<EventLoop>> loops;
  Workers workers(count, kMostWaiting);  // ends before the loops that its work reports to
  for (int k = 0; k < count; ++k) loops.push_back(std::make_unique<EventLoop>(state.router, workers, state.limits));
  std::vector<std::thread> threads;
  for (const auto& loop : loops) threads.emplace_back([&state, &loop] { loop->run(state.ending); });
  threads.emplace_back([&state] { state.watch_model(); });
  while (state.run.cancel == nullptr || !*state.run.cancel) {
    state.listener.wait(kAcceptMilliseconds);
    state.accept(loops);
  }
  state.accept(loops);  // who has connected by now
  state.ending = true;
  for (std::thread& thread : threads) thread.join();
}

void Server::State::accept(std::vector<std::unique_ptr<EventLoop>>& loops) {
  for (int socket; (socket = listener.accept()) != -1;) {
    if (socket == -2) {  // until some close
      std::this_thread::sleep_for(std::chrono::milliseconds(kAcceptMilliseconds));
      return;
    }
    if (router.metrics().connections >= most) {
      refuse(socket);
      continue;
    }
    ++router.metrics().connections;
    loops[accepted++ % loops.size()]->add(socket);
  }
}

/// Best effort: a new connection takes a few bytes at once.
void Server::State::refuse(int socket) const {
  ++router.metrics().connections_refused;
  Answer answer = refusal(503, "there are too many connections", "try again in a second");
  answer.headers.emplace_back("Retry-After", "1");
  std::string bytes;
  append_answer(answer, false, true, bytes);
  static_cast<void>(::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
  ::shutdown(socket, SHUT_WR);
  ::close(socket);
}

void Server::State::watch_model() {
  while (!ending) {
    std::this_thread::sleep_for(kLookAtModel);
    if (watch.changed()) read_model_again();
  }
}

/// Requests under way keep the model that they have.
void Server::State::read_model_again() {
  try {
    auto fresh = std::make_shared<const ServedModel>(request.load(request.model), request, run);
    const std::string id = fresh->id;
    router.set_model(std::move(fresh));
    router.set_stale(false);
    ++router.metrics().reloads;
    run.warn(fmt::format("the model has changed and was read again: {}", id));
  } catch (const std::exception& error) {
    router.set_stale(true);
    ++router.metrics().reload_failures;
    run.warn(fmt::format("the model file has changed and cannot be read, the earlier one stays: {}", error.what()));
  }
}

}  // namespace weft
