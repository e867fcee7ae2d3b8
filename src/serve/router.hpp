// From a request to its answer.
#pragma once

#include "serve/answer.hpp"
#include "serve/metrics.hpp"
#include "serve/request.hpp"
#include "serve/served_model.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

namespace weft::detail {

/// Any number of threads may call at once.
class Router {
 public:
  /// The request must outlive it.
  Router(const ServeRequest& server, std::shared_ptr<const ServedModel> model);

  /// Does not throw: what goes wrong is an answer. `cancel` stops what takes long.
  Answer answer(const Request& request, const std::atomic<bool>* cancel = nullptr) const;
  /// Whether the answer may take so long that others should not wait for it.
  bool takes_long(const Request& request) const;

  /// Requests that come from now on are answered by this one.
  void set_model(std::shared_ptr<const ServedModel> model);
  std::shared_ptr<const ServedModel> model() const;
  /// Whether the model file, as it is now, could be read.
  void set_stale(bool stale) { stale_ = stale; }

  Metrics& metrics() const { return metrics_; }

 private:
  struct Route;
  static const Route* find(const Request& request);
  Answer route(const Route* found, const Request& request, const std::atomic<bool>* cancel) const;
  std::optional<Answer> refuse_stranger(const Request& request) const;
  bool bears_token(const Request& request) const;

  Answer get_health(const Request& request, const Run& run) const;
  Answer get_metrics(const Request& request, const Run& run) const;
  Answer get_model(const Request& request, const Run& run) const;
  Answer get_openapi(const Request& request, const Run& run) const;
  Answer get_page(const Request& request, const Run& run) const;
  Answer post_predict(const Request& request, const Run& run) const;
  Answer post_explain(const Request& request, const Run& run) const;

  const ServeRequest& server_;
  mutable std::mutex mutex_;
  std::shared_ptr<const ServedModel> model_;
  std::atomic<bool> stale_ = false;
  mutable Metrics metrics_;
};

/// In a time that depends on the lengths alone.
bool same_secret(std::string_view given, std::string_view expected);
/// Whether an address, or the host of a header, is one of this machine alone.
bool is_loopback(std::string_view host);

}  // namespace weft::detail
