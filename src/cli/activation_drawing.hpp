// A learned activation as a table and as a picture.
#pragma once

#include <weft/explain.hpp>

#include <string>

namespace weft::cli {

/// By the name's ending: .csv, .svg or .html.
void write_activation(const ActivationCurve& curve, const std::string& path);

}  // namespace weft::cli
