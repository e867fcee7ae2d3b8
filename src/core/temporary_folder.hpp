// A folder of its own that goes away with all that is in it.
#pragma once

#include <filesystem>
#include <string>

namespace weft::detail {

class TemporaryFolder {
 public:
  TemporaryFolder();  ///< throws weft::Error(file) where none can be made
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace weft::detail
