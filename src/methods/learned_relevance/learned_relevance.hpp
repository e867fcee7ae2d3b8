#pragma once

#include "methods/problem.hpp"

namespace weft::detail {

/// Least squares on random features with learned relevance: a model of one member.
FitResult fit_learned_relevance(const Problem& problem);

}  // namespace weft::detail
