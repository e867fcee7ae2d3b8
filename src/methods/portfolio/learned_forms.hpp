// Kernels with what they learn from some of the rows: the weight of one-hot columns, relevance, bandwidth and λ.
#pragma once

#include "methods/local/assemble.hpp"

#include <weft/encoder.hpp>

namespace weft::detail {

struct FormRows {
  std::span<const ColumnKind> columns;
  const MemberRows& rows;
  std::span<const Fold> some;  ///< rows to learn from
  Index rounds;                ///< of relevance
};

struct LearnedPair {
  LearnedForm plain;  ///< without relevance and with a wide bandwidth: where the search for a global fit may begin, too
  LearnedForm best;
};

/// In the order of the forms, without those whose equations cannot be solved. As many forms as threads, or more, are
/// learned side by side, one thread each.
std::vector<LearnedPair> learn_forms(std::span<const KernelForm> forms, const FormRows& from, const Run& run);

}  // namespace weft::detail
