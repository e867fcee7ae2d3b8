// What the server counts, in the text format of Prometheus.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace weft::detail {

class Metrics {
 public:
  /// `route` is one of a fixed set.
  void count(const std::string& route, int status, double seconds);

  std::atomic<std::int64_t> connections = 0;  ///< open now
  std::atomic<std::int64_t> connections_refused = 0;
  std::atomic<std::int64_t> reloads = 0;
  std::atomic<std::int64_t> reload_failures = 0;

  /// With the model, when it was read (seconds since 1970), and the memory of the process.
  std::string text(const std::string& model_id, double loaded_at) const;

 private:
  static constexpr std::array<double, 10> kBounds = {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.01, 0.05, 0.25, 1, 5};
  struct Times {
    std::array<std::int64_t, kBounds.size()> up_to = {};  ///< requests that took at most so long
    std::int64_t count = 0;
    double seconds = 0;
  };

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::int64_t> requests_;
  std::map<std::string, Times> times_;
};

}  // namespace weft::detail
