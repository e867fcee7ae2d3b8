// What train says when it is done.
#pragma once

#include <weft/model.hpp>

#include <optional>
#include <string>

namespace weft::cli {

void print_training(const Model& model, const Evaluation& train, const std::optional<Evaluation>& test,
                    const std::string& path, bool json);

/// Largest resident memory of this process so far, in bytes.
double peak_memory();

}  // namespace weft::cli
