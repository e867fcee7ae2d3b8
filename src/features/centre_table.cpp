// Centres as a table of numbers: what --save-centres writes and --centres reads.
#include <weft/feature_map.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace weft {

namespace {

using ProjectionKind = Projection::Kind;

const FeaturePart& only_part(const std::vector<FeaturePart>& parts) {
  if (parts.size() != 1)
    throw Error(ErrorKind::option, "the centres of a union do not fit one table", "‹family›",
                "write the centres of each family by itself");
  return parts.front();
}

std::string expected_columns(const FeaturePart& part, Index n) {
  switch (part.family.projection.kind) {
    case ProjectionKind::axis:
      return "2 columns (0-based column, threshold)";
    case ProjectionKind::sparse:
      return fmt::format("{} columns (subset, then one weight per input column)", n + 1);
    case ProjectionKind::dense:
      break;
  }
  return fmt::format("{} columns (one weight per input column)", n);
}

Index leading_columns(const FeaturePart& part, Index n) {
  switch (part.family.projection.kind) {
    case ProjectionKind::axis:
      return 2;
    case ProjectionKind::sparse:
      return n + 1;
    case ProjectionKind::dense:
      break;
  }
  return n;
}

Index whole_number(double value, Index below, Index row, const char* what) {
  if (!(value >= 0 && value < static_cast<double>(below) && value == std::floor(value)))
    throw Error(ErrorKind::data, fmt::format("centre {}: {:g} is not a {} (0 … {})", row + 1, value, what, below - 1),
                "‹centres›", "check the file, and that ‹seed› and ‹pool› are those the centres were drawn with");
  return static_cast<Index>(value);
}

void read_sparse_row(Centres& centres, View<const double> table, Index t) {
  const Index g = whole_number(table(t, 0), static_cast<Index>(centres.groups.size()), t, "subset");
  const std::vector<Index>& columns = centres.groups[static_cast<std::size_t>(g)].columns;
  centres.group_of.push_back(g);
  for (std::size_t j = 0; j < columns.size(); ++j) centres.weights(t, static_cast<Index>(j)) = table(t, 1 + columns[j]);
  for (Index j = 0; j + 1 < table.cols; ++j)
    if (table(t, 1 + j) != 0 && !std::binary_search(columns.begin(), columns.end(), j))
      throw Error(ErrorKind::data, fmt::format("centre {} has a weight outside its subset {}", t + 1, g), "‹centres›",
                  "give the ‹seed› and ‹pool› the centres were drawn with");
}

}  // namespace

FeatureMap FeatureMap::from_table(const FamilyOptions& options, const Inputs& inputs, View<const double> table,
                                  const ActivationPtr& custom) {
  if (table.rows == 0) throw Error(ErrorKind::data, "the table has no rows", "‹centres›", "give one row per centre");
  FeatureMap map = without_centres(options, inputs, custom);
  FeaturePart& part = map.parts_.front();
  only_part(map.parts_);
  const Index lead = leading_columns(part, inputs.columns());
  const bool takes_phase = !part.phase || *part.phase != 0;
  const bool phases = takes_phase && table.cols == lead + 1;
  if (table.cols != lead && !phases)
    throw Error(
        ErrorKind::data,
        fmt::format("centres have {} columns, {} data has {} inputs", table.cols, part.family.name(), inputs.columns()),
        "‹centres›",
        "expected " + expected_columns(part, inputs.columns()) + (takes_phase ? ", and optionally a phase" : ""));
  Centres centres;
  centres.groups = part.centres.groups;
  centres.weights = Matrix(table.rows, part.centres.weights.cols());
  for (Index t = 0; t < table.rows; ++t) {
    if (part.family.projection.kind == ProjectionKind::axis) {
      centres.group_of.push_back(
          whole_number(table(t, 0), static_cast<Index>(centres.groups.size()), t, "0-based column"));
      centres.weights(t, 0) = table(t, 1);
    } else if (part.family.projection.kind == ProjectionKind::sparse) {
      read_sparse_row(centres, table.col_range(0, lead), t);
    } else {
      centres.group_of.push_back(0);
      std::copy_n(table.row(t), lead, centres.weights.row(t));
    }
    if (phases)
      centres.phases.push_back(table(t, lead));
    else if (part.phase && *part.phase != 0)
      centres.phases.push_back(*part.phase);
  }
  if (!phases && !part.phase) part.phase = 0;  // a table without phases means none, not random ones
  part.centres = std::move(centres);
  return map;
}

Matrix FeatureMap::table() const {
  const FeaturePart& part = only_part(parts_);
  const Centres& centres = part.centres;
  const Index lead = leading_columns(part, inputs_.columns());
  Matrix table(centres.count(), lead + (centres.phases.empty() ? 0 : 1));
  for (Index t = 0; t < centres.count(); ++t) {
    const Index g = centres.group_of[static_cast<std::size_t>(t)];
    const std::vector<Index>& columns = centres.groups[static_cast<std::size_t>(g)].columns;
    if (part.family.projection.kind == ProjectionKind::axis) {
      table(t, 0) = static_cast<double>(g);
      table(t, 1) = centres.weights(t, 0);
    } else {
      const Index shift = part.family.projection.kind == ProjectionKind::sparse ? 1 : 0;
      if (shift == 1) table(t, 0) = static_cast<double>(g);
      for (std::size_t j = 0; j < columns.size(); ++j)
        table(t, shift + columns[j]) = centres.weights(t, static_cast<Index>(j));
    }
    if (!centres.phases.empty()) table(t, lead) = centres.phases[static_cast<std::size_t>(t)];
  }
  return table;
}

std::vector<std::string> FeatureMap::table_columns() const {
  const FeaturePart& part = only_part(parts_);
  std::vector<std::string> names;
  if (part.family.projection.kind == ProjectionKind::axis) {
    names = {"column", "threshold"};
  } else {
    if (part.family.projection.kind == ProjectionKind::sparse) names.emplace_back("subset");
    names.insert(names.end(), inputs_.names.begin(), inputs_.names.end());
  }
  if (!part.centres.phases.empty()) names.emplace_back("phase");
  return names;
}

}  // namespace weft
