// The state of an iterative fit in one file, so that a stopped fit can go on to the same result, bit for bit.
#pragma once

#include "methods/problem.hpp"

#include <string>
#include <vector>

namespace weft::detail {

struct Checkpoint {
  std::string fit;     ///< name of the algorithm
  std::string digest;  ///< of options and data: checkpoint_digest()
  Index step = 0;
  std::vector<std::vector<double>> arrays = {};

  /// Layout: magic, one line of JSON, the arrays as little-endian doubles, CRC-32 of all that comes before it. Appears
  /// whole or not at all.
  void save(const std::string& path) const;
  /// Throws weft::Error where the file is absent, damaged, or of another fit, other options or other data.
  /// Collective where the rows are shared out: rank 0 reads.
  static Checkpoint load(const std::string& path, const std::string& fit, const std::string& digest,
                         const RowShare* share = nullptr);
};

/// Throws as load does where a checkpoint does not hold what the fit that resumes from it needs.
void require_state(bool holds, const std::string& path);
bool all_finite(const std::vector<double>& numbers);

/// Names what a result depends on: the options of fit and family, the centres, and every number of the training rows
/// (one pass, collective where they are shared out). Left out: threads, processes and limits, and where checkpoints are
/// kept.
std::string checkpoint_digest(const Problem& problem);

}  // namespace weft::detail
