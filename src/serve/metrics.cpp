#include "serve/metrics.hpp"

#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <unistd.h>

namespace weft::detail {

namespace {

/// 0 where the system does not say.
double resident_bytes() {
  std::ifstream counts("/proc/self/statm");
  double all = 0, resident = 0;
  counts >> all >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

template <class Value>
void append_value(const char* name, const char* type, const char* help, const Value& value, std::string& text) {
  fmt::format_to(std::back_inserter(text), "# HELP {0} {1}\n# TYPE {0} {2}\n{0} {3}\n", name, help, type, value);
}

}  // namespace

void Metrics::count(const std::string& route, int status, double seconds) {
  const std::lock_guard lock(mutex_);
  ++requests_[{route, status}];
  Times& times = times_[route];
  for (std::size_t k = 0; k < kBounds.size(); ++k)
    if (seconds <= kBounds[k]) ++times.up_to[k];
  ++times.count;
  times.seconds += seconds;
}

std::string Metrics::text(const std::string& model_id, double loaded_at) const {
  std::string text = "# HELP weft_requests_total Requests answered.\n# TYPE weft_requests_total counter\n";
  auto out = std::back_inserter(text);
  const std::lock_guard lock(mutex_);
  for (const auto& [key, count] : requests_)
    fmt::format_to(out, "weft_requests_total{{route=\"{}\",status=\"{}\"}} {}\n", key.first, key.second, count);
  text +=
      "# HELP weft_request_seconds Time from the whole request to its answer.\n# TYPE weft_request_seconds histogram\n";
  for (const auto& [route, times] : times_) {
    for (std::size_t k = 0; k < kBounds.size(); ++k)
      fmt::format_to(out, "weft_request_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n", route, kBounds[k],
                     times.up_to[k]);
    fmt::format_to(out,
                   "weft_request_seconds_bucket{{route=\"{0}\",le=\"+Inf\"}} {1}\n"
                   "weft_request_seconds_sum{{route=\"{0}\"}} {2}\nweft_request_seconds_count{{route=\"{0}\"}} {1}\n",
                   route, times.count, times.seconds);
  }
  append_value("weft_connections", "gauge", "Connections that are open.", connections.load(), text);
  append_value("weft_connections_refused_total", "counter", "Connections beyond the limit.", connections_refused.load(),
               text);
  append_value("weft_reloads_total", "counter", "Times that a changed model file was taken over.", reloads.load(),
               text);
  append_value("weft_reload_failures_total", "counter", "Times that a changed model file could not be read.",
               reload_failures.load(), text);
  fmt::format_to(out,
                 "# HELP weft_model_info The model, by its content id.\n# TYPE weft_model_info gauge\n"
                 "weft_model_info{{id=\"{}\"}} 1\n",
                 model_id);
  append_value("weft_model_loaded_timestamp_seconds", "gauge", "When the model was read.", loaded_at, text);
  append_value("process_resident_memory_bytes", "gauge", "Resident memory.", resident_bytes(), text);
  return text;
}

}  // namespace weft::detail
