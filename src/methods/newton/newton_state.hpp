// The state of a fit by Newton's method, and the file that stores it: a resumed fit goes on bit for bit. The
// preconditioner, which is large, is not stored but made again.
#pragma once

#include "methods/newton/newton_objective.hpp"

#include <string>
#include <vector>

namespace weft::detail {

struct NewtonState {
  MinimiseState at;            ///< the last point, (features + 1) × outputs
  Matrix best;                 ///< the point of the least held-out loss so far
  double first_lambda = 0;     ///< effective, where the path starts; 0: λ is given, or the path has not begun
  std::vector<double> losses;  ///< held-out, of the λs done
  bool finishing = false;      ///< λ is chosen, and the point belongs to the fit on all rows
  PreconditionerState preconditioner = {};
  Index passes = 0;  ///< over the rows
};

/// Does nothing without a checkpoint in the options, which logistic fits alone have.
class LogisticCheckpoint {
 public:
  LogisticCheckpoint() = default;
  explicit LogisticCheckpoint(const Problem& problem);
  void save(const NewtonState& state) const;
  /// Replaces the state if options.resume is set. Throws where there is nothing to resume from. Files of earlier
  /// versions have the point alone: the preconditioner is then that of no point, and the fit ends in the same minimum
  /// within the tolerance.
  void load(NewtonState& state) const;

 private:
  std::string name_;
  LogisticOptions own_;
  std::string digest_;
  const RowShare* share_ = nullptr;  // rank 0 writes
};

}  // namespace weft::detail
