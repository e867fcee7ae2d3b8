// Finished configurations as JSON lines: a header that describes the search, then one line per trial, appended and
// flushed as it ends. A search that finds the log of the same search goes on from it.
#pragma once

#include <weft/communicator.hpp>
#include <weft/tune.hpp>

#include "core/json_lines.hpp"
#include "data/rows/row_rule.hpp"

#include <string>
#include <vector>

namespace weft::detail {

/// What must be the same for trials to mean the same: name and value of everything they depend on.
using SearchIdentity = std::vector<std::pair<std::string, std::string>>;

SearchIdentity identity_of(const Encoder& encoder, const RowRule& rule, const FamilyOptions& family,
                           const FitOptions& fit, const TuneOptions& options, Metric metric);

class TrialLog {
 public:
  /// An empty path keeps no log. Reads what is there, and writes the header of a new one. A last line that was cut off
  /// while it was written is dropped; any other line that is not a trial, or a header of another search, throws.
  TrialLog(std::string path, const SearchIdentity& identity);

  /// The logged trial with this number on this fraction of the rows, or nullptr. Throws where the log holds other
  /// options under that number.
  const Trial* find(const Trial& wanted) const;
  void append(const Trial& trial);
  /// Collective: what rank 0 has read is known to all.
  void share(Communicator& processes);

 private:
  JsonLines lines_;
  std::vector<Trial> trials_;
};

}  // namespace weft::detail
