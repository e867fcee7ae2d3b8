// A database's client library, loaded when it is first used: commands that need none start without it, and weft is
// built without its headers.
#pragma once

#include <string>

#include <dlfcn.h>

namespace weft::detail {

class ClientLibrary {
 public:
  /// `file` unless the environment variable names another. `database` and `package` are for the message of
  /// ErrorKind::file where it is not there.
  ClientLibrary(const char* file, const char* variable, const char* database, const char* package);

  template <class Function>
  void find(const char* symbol, Function*& function) const {
    function = reinterpret_cast<Function*>(address(symbol));
  }
  /// The file that holds a function of it.
  template <class Function>
  static std::string file_of(Function* function) {
    Dl_info place{};
    return dladdr(reinterpret_cast<void*>(function), &place) != 0 && place.dli_fname != nullptr ? place.dli_fname : "";
  }

 private:
  void* address(const char* symbol) const;
  [[noreturn]] void refuse(const std::string& problem) const;

  void* handle_ = nullptr;
  const char* variable_;
  const char* database_;
  const char* package_;
};

/// Version and file.
std::string sqlite_library();
std::string postgresql_library();

}  // namespace weft::detail
