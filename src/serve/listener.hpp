// A socket that listens for connections.
#pragma once

#include <string>

namespace weft::detail {

class Listener {
 public:
  /// Throws Error where the address is none, or cannot be listened on.
  Listener(const std::string& host, int port);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int port() const { return port_; }
  /// Waits up to so long for a connection.
  void wait(int milliseconds) const;
  /// The next connection that waits, non-blocking; -1: there is none; -2: there is no file descriptor left for it.
  int accept() const;

 private:
  int socket_ = -1;
  int port_ = 0;
};

/// Throws Error(option) where the host is no IP address.
void check_address(const std::string& host);
/// host:port, IPv6 addresses in brackets.
std::string authority(const std::string& host, int port);

}  // namespace weft::detail
