// A file beside the one it will replace, under a name that no other writer has. It is locked while it is open, so that
// the next writer can tell a file that a dead process left behind (whose lock is gone with it) and removes it.
#pragma once

#include <string>

namespace weft::detail {

class TemporaryFile {
 public:
  /// Creates TARGET.tmp-weft-N. Throws std::system_error.
  explicit TemporaryFile(const std::string& target);
  ~TemporaryFile();  ///< removes it unless it was renamed
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return descriptor_; }
  /// Renames it to the target. False, with errno set, where that fails.
  bool rename();

 private:
  bool create(const std::string& name);
  void enlist();
  bool delist();

  std::string target_;
  std::string name_;  // empty: renamed
  int descriptor_ = -1;
  int entry_ = -1;  // in the list of those that a signal removes
};

/// Removes every temporary file of this process; only calls that a signal handler may make. For a process about to end.
void unlink_temporary_files() noexcept;

}  // namespace weft::detail
