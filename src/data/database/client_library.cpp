#include "data/database/client_library.hpp"

#include <weft/database.hpp>
#include <weft/error.hpp>

#include <cstdlib>

#include <fmt/format.h>

namespace weft {

using namespace detail;

namespace detail {

ClientLibrary::ClientLibrary(const char* file, const char* variable, const char* database, const char* package)
    : variable_(variable), database_(database), package_(package) {
  const char* const other = std::getenv(variable);
  handle_ = dlopen(other != nullptr ? other : file, RTLD_LAZY | RTLD_LOCAL);
  if (handle_ == nullptr) refuse(dlerror());
}

void* ClientLibrary::address(const char* symbol) const {
  void* const found = dlsym(handle_, symbol);
  if (found == nullptr) refuse(fmt::format("it has no function {}", symbol));
  return found;
}

void ClientLibrary::refuse(const std::string& problem) const {
  throw Error(ErrorKind::file, fmt::format("the client library of {} is missing: {}", database_, problem), {},
              fmt::format("install it (Debian: {}), or name it in {}", package_, variable_));
}

}  // namespace detail

namespace {

template <class Describe>
std::string library_or_remedy(const Describe& describe) {
  try {
    return describe();
  } catch (const Error& error) {
    return "not there; " + error.hint();
  }
}

}  // namespace

DatabaseInfo database_info() {
  return {library_or_remedy(sqlite_library), library_or_remedy(postgresql_library)};
}

}  // namespace weft
