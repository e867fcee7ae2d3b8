#include <weft/fetch.hpp>

#include "data/download.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

namespace weft {

using namespace detail;

namespace {

/// The mirror's URL with a slash at its end.
std::string mirror_of(const DataSet& set, const std::string& from) {
  std::string url = from;
  if (const char* const variable = std::getenv("WEFT_DATA_URL"); url.empty() && variable != nullptr) url = variable;
  if (url.empty())
    throw Error(
        ErrorKind::option, fmt::format("no mirror that holds {} is known", set.files.front().name), "--from",
        fmt::format("name one there or in $WEFT_DATA_URL, or make the file yourself: the original is at {}, the "
                    "copy used is {}; {}; CSV with a header and the target last is then compressed by gzip",
                    set.origin, set.source, set.prepared));
  constexpr std::array kSchemes = {"https://", "http://", "file://"};
  if (std::none_of(kSchemes.begin(), kSchemes.end(), [&](const char* scheme) { return url.starts_with(scheme); }))
    throw Error(ErrorKind::option, fmt::format("'{}' is not a URL weft downloads from", url), "--from",
                "begin it with https://, http:// or file://");
  return url.ends_with('/') ? url : url + '/';
}

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw Error(ErrorKind::file, fmt::format("cannot make this folder: {}", error.message()), folder,
                "choose another with --data");
}

}  // namespace

std::vector<FetchedFile> fetch(const DataSet& set, const FetchOptions& options, const Run& run) {
  check_options(options);
  const std::string folder = data_folder(options.data);
  std::vector<FetchedFile> fetched;
  for (const DataFile& file : set.files) {
    const std::string path = (std::filesystem::path(folder) / file.name).string();
    const bool there = file_state(folder, file, true, run) == FileState::present;
    if (!there) {
      const std::string url = mirror_of(set, options.from) + file.name;
      make_folder(folder);
      download({url, path, file.bytes, file.sha256, options.timeout}, run);
    }
    fetched.push_back({path, !there});
  }
  return fetched;
}

}  // namespace weft
