// --max-time: a command's limit, of which reading, fitting and measuring take their shares.
#pragma once

#include <weft/model.hpp>

#include <string>

namespace weft::cli {

/// The time that is left to a fit: a share is kept for measuring.
Run fit_in_time(const Run& run);

/// evaluate(); where the time does not suffice for all rows, of as many as it does, drawn at random, which is said.
/// `rows` names them. `share`: of the time left that may be taken.
Evaluation evaluate_in_time(const Model& model, const Data& data, const std::string& rows, double share,
                            const Run& run);

}  // namespace weft::cli
