#include "data/download.hpp"

#include <weft/error.hpp>
#include <weft/version.hpp>

#include <fmt/format.h>

#ifdef WEFT_HAVE_CURL

#include "core/atomic_file.hpp"
#include "core/sha256.hpp"

#include <exception>
#include <memory>

#include <curl/curl.h>

namespace weft::detail {

namespace {

using Clock = Run::Clock;

class Transfer {
 public:
  Transfer(const Download& wanted, const Run& run);
  void perform();

 private:
  CURLcode attempt();
  void take(const char* bytes, std::size_t size);
  void check_progress() const;
  [[noreturn]] void fail(CURLcode code) const;
  [[noreturn]] void fail_status() const;
  long status() const;

  // libcurl is C: what a callback throws waits here until curl_easy_perform has returned.
  template <class Body>
  bool guarded(Body&& body) {
    try {
      body();
      return true;
    } catch (...) {
      thrown_ = std::current_exception();
      return false;
    }
  }
  static std::size_t on_bytes(char* bytes, std::size_t, std::size_t count, void* self) {
    const auto transfer = static_cast<Transfer*>(self);
    return transfer->guarded([&] { transfer->take(bytes, count); }) ? count : 0;
  }
  static int on_progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    const auto transfer = static_cast<Transfer*>(self);
    return transfer->guarded([&] { transfer->check_progress(); }) ? 0 : 1;
  }

  const Download& wanted_;
  const Run& run_;
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl_{curl_easy_init(), &curl_easy_cleanup};
  char reason_[CURL_ERROR_SIZE] = {};
  AtomicFile file_;
  Sha256 sum_;
  std::uint64_t received_ = 0;
  bool fresh_ = true;  ///< no byte of this attempt has come
  Clock::time_point last_byte_ = Clock::now();
  std::exception_ptr thrown_;
};

Transfer::Transfer(const Download& wanted, const Run& run) : wanted_(wanted), run_(run), file_(wanted.path) {
  if (curl_ == nullptr) throw Error(ErrorKind::memory, "libcurl cannot be started", wanted_.url, "free some memory");
  CURL* const curl = curl_.get();
  curl_easy_setopt(curl, CURLOPT_URL, wanted_.url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https,file");
  curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 10L);
  curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, fmt::format("weft/{}", version()).c_str());
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, reason_);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &on_bytes);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, this);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, &on_progress);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, this);
}

long Transfer::status() const {
  long code = 0;
  curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &code);
  return code;
}

void Transfer::take(const char* bytes, std::size_t size) {
  // A server that knows no ranges sends the file from its beginning.
  if (fresh_ && status() != 206) {
    received_ = 0;
    sum_ = {};
  }
  fresh_ = false;
  last_byte_ = Clock::now();
  if (size > wanted_.bytes - received_)
    throw Error(ErrorKind::data, fmt::format("it is longer than the {} bytes it should have", wanted_.bytes),
                wanted_.url, "the mirror holds another version or is no mirror; try another --from");
  file_.write_at(received_, bytes, size);
  sum_.add(bytes, size);
  received_ += size;
}

void Transfer::check_progress() const {
  run_.check_cancelled();
  run_.report(wanted_.path.substr(wanted_.path.rfind('/') + 1), static_cast<double>(received_),
              static_cast<double>(wanted_.bytes));
  if (Clock::now() - last_byte_ > std::chrono::seconds(wanted_.timeout))
    throw Error(ErrorKind::file,
                fmt::format("nothing came for {} s, after {} of {} bytes", wanted_.timeout, received_, wanted_.bytes),
                wanted_.url, "try again later; --timeout waits longer");
}

CURLcode Transfer::attempt() {
  fresh_ = true;
  last_byte_ = Clock::now();
  const std::string range = fmt::format("{}-", received_);
  curl_easy_setopt(curl_.get(), CURLOPT_RANGE, received_ > 0 ? range.c_str() : nullptr);
  const CURLcode code = curl_easy_perform(curl_.get());
  if (thrown_) std::rethrow_exception(thrown_);
  return code;
}

void Transfer::perform() {
  constexpr int kAttempts = 10;
  for (int attempts = 1;; ++attempts) {
    const std::uint64_t before = received_;
    const CURLcode code = attempt();
    if (code == CURLE_OK) break;
    const bool broke_off = code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR || code == CURLE_HTTP2_STREAM;
    if (!broke_off || received_ <= before || attempts == kAttempts) fail(code);
  }
  if (received_ != wanted_.bytes)
    throw Error(ErrorKind::data, fmt::format("it has {} bytes there, not {}", received_, wanted_.bytes), wanted_.url,
                "the mirror holds another version or was cut off; try again or another --from");
  if (const std::string found = sum_.value(); found != wanted_.sha256)
    throw Error(ErrorKind::data, fmt::format("its SHA-256 is {}, not {}", found, wanted_.sha256), wanted_.url,
                "the mirror holds another version or a damaged one; nothing was kept, try another --from");
  file_.commit();
}

void Transfer::fail_status() const {
  const long code = status();
  const char* const hint = code == 404   ? "check --from: it is the folder of the files that weft data list names"
                           : code >= 500 ? "try again later or another --from"
                                         : "check --from and whether you may read there";
  throw Error(ErrorKind::file, fmt::format("the server answered {}", code), wanted_.url, hint);
}

void Transfer::fail(CURLcode code) const {
  const std::string reason = reason_[0] != '\0' ? reason_ : curl_easy_strerror(code);
  switch (code) {
    case CURLE_HTTP_RETURNED_ERROR:
      fail_status();
    case CURLE_FILE_COULDNT_READ_FILE:
      throw Error(ErrorKind::file, "it cannot be opened", wanted_.url, "check --from");
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_TOO_MANY_REDIRECTS:
      throw Error(ErrorKind::file, fmt::format("the server leads elsewhere: {}", reason), wanted_.url,
                  "up to ten redirects to http and https are followed; name the last place with --from");
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2_STREAM:
      throw Error(ErrorKind::file,
                  fmt::format("the transfer broke off after {} of {} bytes: {}", received_, wanted_.bytes, reason),
                  wanted_.url, "try again");
    default:
      throw Error(ErrorKind::file, fmt::format("it cannot be reached: {}", reason), wanted_.url,
                  "check the network and --from");
  }
}

}  // namespace

bool can_download() {
  return true;
}

void download(const Download& wanted, const Run& run) {
  Transfer(wanted, run).perform();
}

}  // namespace weft::detail

#else

namespace weft::detail {

bool can_download() {
  return false;
}

void download(const Download& wanted, const Run&) {
  throw Error(
      ErrorKind::file, "this weft was built without libcurl", wanted.url,
      fmt::format("put it at {} yourself, or install libcurl 7.85 with its headers and build weft again", wanted.path));
}

}  // namespace weft::detail

#endif
