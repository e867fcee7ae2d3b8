// A job of one process: nothing is sent.
#pragma once

#include <weft/communicator.hpp>

#include <cassert>
#include <cstdlib>

namespace weft::detail {

class OneProcess final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void send(int, const std::string&) override { assert(!"there is nobody to send to"); }
  std::string receive(int) override {
    assert(!"there is nobody to receive from");
    return {};
  }
  void broadcast(std::string&, int) override {}
  std::vector<std::string> all_gather(const std::string& bytes) override { return {bytes}; }
  void add_up(double*, std::size_t) override {}
  void abort(int exit_code) override { std::_Exit(exit_code); }
};

inline Communicator& one_process() {
  static OneProcess alone;
  return alone;
}

}  // namespace weft::detail
