#include "core/temporary_folder.hpp"

#include <weft/error.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

namespace weft::detail {

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "weft-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw Error(ErrorKind::file, fmt::format("no folder can be made there: {}", std::strerror(errno)), name,
                "check $TMPDIR");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code left_behind;  // a destructor has nobody to tell
  std::filesystem::remove_all(path_, left_behind);
}

}  // namespace weft::detail
