// Downloads the files of a data set from a mirror and checks them.
#pragma once

#include <weft/catalogue.hpp>

#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

struct FetchOptions {
  std::string data = "";
  std::string from = "";
  int timeout = 30;

  static auto fields() {
    using O = FetchOptions;
    return std::tuple{
        Field{"data", &O::data, Allowed::anything(), "folder of the data sets; not given: $WEFT_DATA"},
        Field{
            "from", &O::from, Allowed::anything(),
            "URL of the folder that holds the prepared files: https://, http:// or file://; not given: $WEFT_DATA_URL"},
        Field{"timeout", &O::timeout, Allowed::between(1, 3600),
              "seconds without a single byte after which a download is given up"},
    };
  }
};

struct FetchedFile {
  std::string path;
  bool downloaded = false;  ///< false: it was there already, with the right SHA-256
};

/// Makes the folder hold the files of `set`: those that are missing or differ are downloaded, checked by size and
/// SHA-256 and only then given their names. A transfer that breaks off is continued. Throws weft::Error where a file
/// cannot be had, which leaves the folder's files as they were.
std::vector<FetchedFile> fetch(const DataSet& set, const FetchOptions& options = {}, const Run& run = {});

}  // namespace weft
