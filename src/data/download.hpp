// One file from a URL, whole and with the right contents, or not at all.
#pragma once

#include <weft/run.hpp>

#include <cstdint>
#include <string>

namespace weft::detail {

struct Download {
  std::string url;   ///< http, https or file; redirects are followed to http and https
  std::string path;  ///< where it goes
  std::uint64_t bytes = 0;
  std::string sha256;
  int timeout = 30;  ///< seconds without a byte
};

/// False in a weft that was built without libcurl; download() then throws what to do about it.
bool can_download();

/// Throws weft::Error(file) when the transfer fails and weft::Error(data) when the contents are not those expected. The
/// temporary file goes away in both cases and when the run is cancelled: the largest file of the catalogue takes
/// seconds, so only a transfer that breaks off by itself is continued, within the call.
void download(const Download& wanted, const Run& run);

}  // namespace weft::detail
