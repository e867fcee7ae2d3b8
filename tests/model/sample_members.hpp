// Models of several members, made by hand: trees and global summands with made-up rows and coefficients.
#pragma once

#include <weft/model.hpp>

#include "model/sample_models.hpp"

namespace weft::testing {

inline Matrix made_up_matrix(Index rows, Index cols, std::uint32_t stream) {
  Matrix matrix(rows, cols);
  for (Index i = 0; i < rows * cols; ++i) matrix.data()[i] = made_up(i, stream);
  return matrix;
}

inline Leaf made_up_leaf(FeatureMap map, Index outputs, std::uint32_t stream) {
  Matrix coefficients = made_up_matrix(map.features(), outputs, stream);
  const Matrix intercepts = made_up_matrix(outputs, 1, stream + 1);
  return {std::move(map), std::move(coefficients), {intercepts.data(), intercepts.data() + outputs}};
}

/// A leaf with `count` landmarks: the columns first, first + 1, … of `rows` (own inputs × any).
inline Leaf kernel_leaf(const Kernel& kernel, const Matrix& rows, Index first, Index count, const Inputs& inputs,
                        Index outputs, std::uint32_t stream) {
  Matrix landmarks(rows.rows(), count);
  for (Index j = 0; j < rows.rows(); ++j)
    for (Index t = 0; t < count; ++t) landmarks(j, t) = rows(j, first + t);
  return made_up_leaf(FeatureMap::from_sections({kernel, std::move(landmarks)}, inputs), outputs, stream);
}

/// Two trees over the same 30 rows, one with a leaf without features, then rbf sections at directions, random features
/// and a summand of one number.
inline ModelParts member_parts(const std::string& target) {
  ModelParts parts = sample_parts(target);
  const Inputs& encoded = parts.encoder.inputs();
  const auto outputs = static_cast<Index>(parts.intercepts.size());
  const InputTransform weighted{.columns = {0, 1, 3}, .factors = {1.5, 0.25, 2}};
  const Inputs own = weighted.inputs(encoded);
  const Matrix rows = made_up_matrix(3, 30, 40);
  const Kernel narrow = Kernel::laplace(0.8);
  const Kernel wide = Kernel::laplace(2.5);
  Member first{"first", 0.5, weighted, {{0, 0.1, 1, -1}, {1, -0.3, -3, 2}, {0, -1, -2, -4}}, {}};
  first.leaves = {kernel_leaf(narrow, rows, 0, 12, own, outputs, 50), kernel_leaf(wide, rows, 12, 8, own, outputs, 52),
                  kernel_leaf(narrow, rows, 20, 9, own, outputs, 54),
                  made_up_leaf(FeatureMap::from_parts({}, own), outputs, 56)};
  Member second{"second", 0.25, weighted, {{2, 0.4, -2, -1}}, {}};
  second.leaves = {kernel_leaf(narrow, rows, 0, 17, own, outputs, 58),
                   kernel_leaf(narrow, rows, 17, 13, own, outputs, 60)};
  Member directions{"directions", -1, {.matrix = made_up_matrix(2, encoded.columns(), 62)}, {}, {}};
  directions.leaves = {
      kernel_leaf(Kernel::rbf(1.2), made_up_matrix(2, 6, 64), 0, 6, directions.transform.inputs(encoded), outputs, 66)};
  Member drawn{"drawn \xff", 2, {}, {{1, 0, -2, -1}}, {}};
  drawn.leaves = {made_up_leaf(FeatureMap::draw(sample_family("rw-relu/sparse:2+rks-cos", 10), encoded), outputs, 68),
                  made_up_leaf(FeatureMap::draw(sample_family("rw-stumps", 7), encoded), outputs, 70)};
  parts.members = {first, second, directions, drawn};
  parts.map = FeatureMap::from_parts({}, encoded);
  parts.coefficients = {};
  parts.relevance = {1, 0, 1.0 / 3};
  return parts;
}

}  // namespace weft::testing
