#include <weft/run.hpp>

#include <weft/error.hpp>

#include "core/address_space.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <limits>
#include <string_view>

#include <omp.h>

namespace weft {

namespace {

double parse_bytes(const std::string& text) {
  if (text.empty()) return 0;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  double unit = 1;
  std::string_view suffix(end);
  if (!suffix.empty()) {
    const std::size_t power = std::string_view("KMGT").find(static_cast<char>(std::toupper(suffix.front())));
    if (power != std::string_view::npos) {
      for (std::size_t k = 0; k <= power; ++k) unit *= 1024;
      suffix.remove_prefix(1);
    }
  }
  if (end == text.c_str() || !(value > 0) || !(suffix.empty() || suffix == "B" || suffix == "iB"))
    throw Error(ErrorKind::option, "'" + text + "' is not an amount of memory", "‹max_memory›",
                "write a number and K, M, G or T, such as 500M");
  return value * unit;
}

/// cpu, auto, gpu or gpu:N; which GPUs there are is looked up when one is asked for.
void check_device(const std::string& text) {
  const bool numbered = text.starts_with("gpu:") && text.size() > 4 && text.size() < 8 &&
                        text.find_first_not_of("0123456789", 4) == std::string::npos;
  if (text != "cpu" && text != "auto" && text != "gpu" && !numbered)
    throw Error(ErrorKind::option, "'" + text + "' is not a device", "‹device›", "give cpu, gpu, gpu:1 or auto");
}

}  // namespace

Run Run::from(const RunOptions& options) {
  check_options(options);
  Run run;
  run.threads = options.threads;
  run.max_seconds = options.max_time;
  run.max_memory = parse_bytes(options.max_memory);
  check_device(options.device);
  run.device = options.device;
  return run;
}

int Run::thread_count() const {
  return std::min(threads > 0 ? threads : omp_get_max_threads(), detail::threads_within_limits());
}

void Run::check_cancelled() const {
  if (cancel != nullptr && cancel->load(std::memory_order_relaxed))
    throw Error(ErrorKind::cancelled, "stopped on request");
}

double Run::seconds_left() const {
  if (!(max_seconds > 0)) return std::numeric_limits<double>::infinity();
  return max_seconds - std::chrono::duration<double>(Clock::now() - started).count();
}

}  // namespace weft
