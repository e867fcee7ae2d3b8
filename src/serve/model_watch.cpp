#include "serve/model_watch.hpp"

#include <utility>

#include <sys/stat.h>

namespace weft::detail {

bool ModelWatch::changed() {
  const Mark now = look();
  const bool settled = std::exchange(pending_, now) == now;
  if (now == seen_ || now == Mark{} || !settled) return false;
  seen_ = now;
  return true;
}

ModelWatch::Mark ModelWatch::look() const {
  struct stat file = {};
  if (::stat(path_.c_str(), &file) != 0) return {};
  return {file.st_dev, file.st_ino, file.st_size, file.st_mtim.tv_sec, file.st_mtim.tv_nsec};
}

}  // namespace weft::detail
