#include "serve/router.hpp"

#include "serve/openapi.hpp"
#include "serve/page.hpp"
#include "serve/predictions.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <new>

#include <fmt/format.h>

namespace weft::detail {

struct Router::Route {
  const char* method;
  const char* path;
  Answer (Router::*answer)(const Request&, const Run&) const;
  bool open = false;  ///< without a token: nothing of the model is in it
};

namespace {

/// A body of this size has a few dozen rows at most.
constexpr std::size_t kShortBody = 8192;

/// Without the port.
std::string_view host_of(std::string_view authority) {
  if (authority.starts_with('[')) return authority.substr(0, authority.find(']') + 1);
  return authority.substr(0, authority.find(':'));
}

}  // namespace

bool same_secret(std::string_view given, std::string_view expected) {
  unsigned difference = given.size() == expected.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size() && !expected.empty(); ++i)
    difference |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(expected[i % expected.size()]);
  return difference == 0;
}

bool is_loopback(std::string_view host) {
  return host == "127.0.0.1" || host == "::1" || host == "[::1]" || same_word(host, "localhost");
}

Router::Router(const ServeRequest& server, std::shared_ptr<const ServedModel> model)
    : server_(server), model_(std::move(model)) {}

void Router::set_model(std::shared_ptr<const ServedModel> model) {
  const std::lock_guard lock(mutex_);
  model_.swap(model);
}

std::shared_ptr<const ServedModel> Router::model() const {
  const std::lock_guard lock(mutex_);
  return model_;
}

const Router::Route* Router::find(const Request& request) {
  static constexpr std::array<Route, 7> kRoutes = {{
      {"POST", "/predict", &Router::post_predict},
      {"POST", "/explain", &Router::post_explain},
      {"GET", "/health", &Router::get_health, true},
      {"GET", "/metrics", &Router::get_metrics},
      {"GET", "/model", &Router::get_model},
      {"GET", "/openapi.json", &Router::get_openapi},
      {"GET", "/", &Router::get_page, true},
  }};
  const auto found =
      std::find_if(kRoutes.begin(), kRoutes.end(), [&](const Route& route) { return request.path == route.path; });
  if (found != kRoutes.end()) return &*found;
  return is_page_file(request.path) ? &kRoutes.back() : nullptr;
}

bool Router::takes_long(const Request& request) const {
  return request.path == "/explain" || (request.path == "/predict" && request.body.size() > kShortBody) ||
         (request.path == "/predict" && !request.header("content-type").starts_with("application/json"));
}

Answer Router::answer(const Request& request, const std::atomic<bool>* cancel) const {
  if (request.chunked) {
    const std::string body = unchunked(request.body);
    Request whole = request;
    whole.body = body;
    whole.chunked = false;
    return answer(whole, cancel);
  }
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const Route* const found = find(request);
  Answer answer;
  try {
    answer = route(found, request, cancel);
  } catch (const Error& error) {
    answer = refusal(error);
  } catch (const std::bad_alloc&) {
    answer = refusal(503, "there is no memory for this request", "send fewer rows at a time");
  } catch (const std::exception&) {
    answer = refusal(500, "the server has a fault", "tell its maintainers which request shows it");
  }
  if (!server_.options.allow_origin.empty() && request.header("origin") == server_.options.allow_origin) {
    answer.headers.emplace_back("Access-Control-Allow-Origin", server_.options.allow_origin);
    answer.headers.emplace_back("Vary", "Origin");
  }
  metrics_.count(found == nullptr ? "other" : found->path, answer.status,
                 std::chrono::duration<double>(Clock::now() - start).count());
  return answer;
}

Answer Router::route(const Route* found, const Request& request, const std::atomic<bool>* cancel) const {
  if (auto refused = refuse_stranger(request)) return *refused;
  if (found == nullptr)
    return refusal(404, "there is nothing here", "see /openapi.json for what there is", std::string(request.path));
  if (request.method == "OPTIONS" && !server_.options.allow_origin.empty())
    return {.status = 204,
            .headers = {{"Access-Control-Allow-Methods", found->method},
                        {"Access-Control-Allow-Headers", "authorization, content-type"},
                        {"Access-Control-Max-Age", "600"}}};
  if (request.method != found->method && !(request.method == "HEAD" && found->method == std::string_view("GET"))) {
    Answer answer = refusal(405, fmt::format("{} is not done here", request.method),
                            fmt::format("use {}", found->method), found->path);
    answer.headers.emplace_back("Allow", found->method == std::string_view("GET") ? "GET, HEAD" : found->method);
    return answer;
  }
  if (!found->open && !bears_token(request)) {
    Answer answer = refusal(401, "a token is needed", "send the header Authorization: Bearer TOKEN");
    answer.headers.emplace_back("WWW-Authenticate", "Bearer");
    return answer;
  }
  Run run;
  run.threads = 1;
  run.cancel = cancel;
  return (this->*found->answer)(request, run);
}

/// Pages of other sites, which a browser lets send requests, are kept out: by the origin they have, and where there is
/// no token by the name they call this machine.
std::optional<Answer> Router::refuse_stranger(const Request& request) const {
  const std::string_view host = request.header("host");
  const std::string_view named = host_of(host);
  if (server_.token.empty() && !host.empty() && !is_loopback(named) && named != server_.options.host)
    return refusal(421, "this server is not known by that name", "call it by its address on this machine", "Host");
  const std::string_view origin = request.header("origin");
  if (origin.empty() || origin == server_.options.allow_origin) return std::nullopt;
  const std::size_t scheme = origin.find("://");
  if (scheme != std::string_view::npos && origin.substr(scheme + 3) == host) return std::nullopt;
  return refusal(403, "pages of other sites may not send requests", "start the server with ‹allow_origin›", "Origin");
}

bool Router::bears_token(const Request& request) const {
  if (server_.token.empty()) return true;
  constexpr std::string_view kScheme = "bearer ";
  const std::string_view given = request.header("authorization");
  return same_word(given.substr(0, kScheme.size()), kScheme) &&
         same_secret(given.substr(std::min(kScheme.size(), given.size())), server_.token);
}

Answer Router::get_health(const Request& /*request*/, const Run& /*run*/) const {
  return {.body = stale_ ? "{\"status\": \"ok\", \"model\": \"the file has changed and could not be read\"}\n"
                         : "{\"status\": \"ok\"}\n"};
}

Answer Router::get_metrics(const Request& /*request*/, const Run& /*run*/) const {
  const auto served = model();
  const double loaded = std::chrono::duration<double>(served->loaded_at.time_since_epoch()).count();
  return {.type = "text/plain; version=0.0.4; charset=utf-8", .body = metrics_.text(served->id, loaded)};
}

Answer Router::get_model(const Request& /*request*/, const Run& /*run*/) const {
  return {.body = model()->description(server_)};
}

Answer Router::get_openapi(const Request& /*request*/, const Run& /*run*/) const {
  return {.body = openapi(*model(), server_)};
}

Answer Router::get_page(const Request& request, const Run& /*run*/) const {
  return page_file(request.path);
}

Answer Router::post_predict(const Request& request, const Run& run) const {
  return predict(*model(), server_, request, run);
}

Answer Router::post_explain(const Request& request, const Run& run) const {
  return explain(*model(), request, run);
}

}  // namespace weft::detail
