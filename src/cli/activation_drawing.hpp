// A learned activation as numbers and as a picture.
#pragma once

#include <weft/learned_activation.hpp>

#include <string>
#include <vector>

namespace weft::cli {

struct ActivationCurve {
  std::vector<double> z;      ///< evenly over the covered interval
  std::vector<double> value;  ///< h(z)
  Matrix terms;               ///< N × points: a_i B_i(z)
};

ActivationCurve activation_curve(const LearnedActivation& activation, Index points);

/// By the name's ending: .csv, .svg or .html.
void write_activation(const ActivationCurve& curve, const std::string& path);

}  // namespace weft::cli
