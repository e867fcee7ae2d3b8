// Processes that work on one job, such as those of mpirun. Each runs the same program; they differ in their rank.
#pragma once

#include <weft/visibility.hpp>

#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

/// What weft asks of a message-passing library. Messages are bytes of any length. The collective calls are made by all
/// processes, in the same order.
class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const = 0;  ///< 0 … size-1
  virtual int size() const = 0;

  virtual void send(int to, const std::string& bytes) = 0;
  virtual std::string receive(int from) = 0;  ///< messages of one sender arrive in their order
  /// Collective: what `from` holds becomes what all hold.
  virtual void broadcast(std::string& bytes, int from) = 0;
  /// Collective: what every process holds, by rank.
  virtual std::vector<std::string> all_gather(const std::string& bytes) = 0;

  /// Ends all processes at once, with this exit code where the library passes it on. Does not return.
  virtual void abort(int exit_code) = 0;
};

}  // namespace weft
