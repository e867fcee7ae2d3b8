// Parts of a program as operators.
#pragma once

#include "export/onnx_graph.hpp"
#include "export/program.hpp"

namespace weft::detail {

/// The encoded inputs of a program, rows × inputs, from one input of the graph per column.
std::string onnx_inputs(const Program& program, OnnxGraph& graph);

/// The features of groups of one activation times their coefficients, rows × outputs; z: rows × inputs of the member.
std::string onnx_features(const Program& program, const std::vector<Index>& groups, Index inputs, const std::string& z,
                          OnnxGraph& graph);

std::string onnx_erf(const std::string& z, OnnxGraph& graph);

}  // namespace weft::detail
