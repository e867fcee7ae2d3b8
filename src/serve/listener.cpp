#include "serve/listener.hpp"

#include <weft/error.hpp>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace weft::detail {

namespace {

struct Address {
  sockaddr_storage storage = {};
  socklen_t size = 0;

  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
};

/// Names other than localhost would have to be looked up, and could be several machines.
Address address_of(const std::string& host, int port) {
  Address address;
  sockaddr_in four = {
      .sin_family = AF_INET, .sin_port = htons(static_cast<std::uint16_t>(port)), .sin_addr = {}, .sin_zero = {}};
  sockaddr_in6 six = {};
  six.sin6_family = AF_INET6;
  six.sin6_port = four.sin_port;
  if (::inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : host.c_str(), &four.sin_addr) == 1) {
    std::memcpy(&address.storage, &four, address.size = sizeof four);
  } else if (::inet_pton(AF_INET6, host.c_str(), &six.sin6_addr) == 1) {
    std::memcpy(&address.storage, &six, address.size = sizeof six);
  } else {
    throw Error(ErrorKind::option, fmt::format("'{}' is not an IP address", host), "‹host›",
                "give 127.0.0.1, ::1, 0.0.0.0 or an address of this machine");
  }
  return address;
}

std::string remedy_of(int code) {
  if (code == EADDRINUSE) return "stop what listens there, or give another ‹port›";
  if (code == EACCES) return "give a ‹port› from 1024 on";
  return "give an address of this machine as ‹host›";
}

}  // namespace

Listener::Listener(const std::string& host, int port) {
  Address address = address_of(host, port);
  socket_ = ::socket(address.get()->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int on = 1;
  bool open = socket_ >= 0 && ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0;
  open = open && ::bind(socket_, address.get(), address.size) == 0 && ::listen(socket_, SOMAXCONN) == 0;
  if (!open) {
    const int code = errno;
    if (socket_ >= 0) ::close(socket_);
    throw Error(ErrorKind::file, fmt::format("cannot be listened on ({})", std::strerror(code)), authority(host, port),
                remedy_of(code));
  }
  ::getsockname(socket_, address.get(), &address.size);
  port_ = ntohs(address.storage.ss_family == AF_INET ? reinterpret_cast<sockaddr_in*>(&address.storage)->sin_port
                                                     : reinterpret_cast<sockaddr_in6*>(&address.storage)->sin6_port);
}

Listener::~Listener() {
  ::close(socket_);
}

void Listener::wait(int milliseconds) const {
  pollfd waiting = {.fd = socket_, .events = POLLIN, .revents = 0};
  ::poll(&waiting, 1, milliseconds);
}

int Listener::accept() const {
  const int connection = ::accept4(socket_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (connection < 0) return errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM ? -2 : -1;
  const int on = 1;
  ::setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return connection;
}

void check_address(const std::string& host) {
  static_cast<void>(address_of(host, 0));
}

std::string authority(const std::string& host, int port) {
  return host.find(':') == std::string::npos ? fmt::format("{}:{}", host, port) : fmt::format("[{}]:{}", host, port);
}

}  // namespace weft::detail
