// Processes that work on one job, such as those of mpirun. Each runs the same program; they differ in their rank.
#pragma once

#include <weft/matrix.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

/// Cholesky factors of symmetric matrices that no process holds: tile (I, J) belongs to the process at (I mod rows, J
/// mod cols) of a grid (ScaLAPACK's block-cyclic layout). A process holds its tiles as one matrix, columns one after
/// the other. All calls are collective.
class CyclicSolver {
 public:
  struct Grid {
    int rows = 1, cols = 1;  ///< of processes
    int row = 0, col = 0;    ///< this one
    Index tile = 0;          ///< rows and columns of a tile
  };
  virtual ~CyclicSolver() = default;
  virtual Grid grid() const = 0;
  /// Replaces the lower triangle of a (n × n) by its factor; `norm` is the largest sum of absolute values of a column.
  /// The reciprocal of the condition number, to its order; 0: a is not positive definite.
  virtual double factor(Index n, double* own, double norm) = 0;
  /// rhs (n × k, all of it on every process, columns one after the other) ← a⁻¹ rhs.
  virtual void solve(Index n, const double* own_factor, double* rhs, Index k) = 0;
};

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

  /// Collective: sums over the processes, the same bits on all of them.
  virtual void add_up(double* values, std::size_t count) = 0;
  /// Null where the library has none.
  virtual CyclicSolver* solver() { return nullptr; }

  /// Ends all processes at once, with this exit code where the library passes it on. Does not return.
  virtual void abort(int exit_code) = 0;
};

}  // namespace weft
