// The state of a fit by Newton's method, and the file that stores it. The curvature pairs of L-BFGS are not stored: a
// resumed fit starts again from the point it had reached, and ends in the same minimum within the tolerance.
#pragma once

#include "methods/problem.hpp"

#include <string>
#include <vector>

namespace weft::detail {

struct NewtonState {
  Matrix x;                    ///< (features + 1) × outputs: the last point
  Matrix best;                 ///< the point of the least held-out loss so far
  double first_lambda = 0;     ///< effective, where the path starts; 0: λ is given, or the path has not begun
  std::vector<double> losses;  ///< held-out, of the λs done
  bool finishing = false;      ///< λ is chosen, and x belongs to the fit on all rows
};

/// Does nothing without a checkpoint in the options, which logistic fits alone have.
class LogisticCheckpoint {
 public:
  LogisticCheckpoint() = default;
  explicit LogisticCheckpoint(const Problem& problem);
  void save(const NewtonState& state) const;
  /// Replaces the state if options.resume is set. Throws where there is nothing to resume from.
  void load(NewtonState& state) const;

 private:
  std::string name_;
  LogisticOptions own_;
  std::string digest_;
  const RowShare* share_ = nullptr;  // rank 0 writes
};

}  // namespace weft::detail
