#include "model/narrow_inputs.hpp"

#include <cassert>
#include <utility>
#include <vector>

#include "core/at.hpp"

namespace weft::detail {

namespace {

std::vector<bool> groups_with_centres(const Centres& centres) {
  std::vector<bool> used(centres.groups.size());
  for (const Index group : centres.group_of) used[at(group)] = true;
  return used;
}

/// By variable, whose columns stay together.
std::vector<bool> seen_variables(const FeatureMap& map) {
  const Inputs& inputs = map.inputs();
  std::vector<bool> seen(at(inputs.variables()));
  for (const FeaturePart& part : map.parts()) {
    const std::vector<bool> used = groups_with_centres(part.centres);
    for (std::size_t g = 0; g < used.size(); ++g)
      for (const Index column : part.centres.groups[g].columns)
        if (const Index variable = inputs.variable_of[at(column)]; used[g] && variable >= 0) seen[at(variable)] = true;
  }
  return seen;
}

/// Groups without centres stay, because amplitudes count them; what they see does not matter.
void move_columns(Centres& centres, const std::vector<Index>& new_column) {
  const std::vector<bool> used = groups_with_centres(centres);
  for (std::size_t g = 0; g < used.size(); ++g)
    for (Index& column : centres.groups[g].columns) column = used[g] ? new_column[at(column)] : 0;
}

}  // namespace

std::optional<NarrowInputs> narrow_inputs(const Encoder& encoder, const FeatureMap& map) {
  const Inputs& inputs = map.inputs();
  if (inputs.columns() <= kWideInputs || map.sections() != nullptr || map.parts().empty()) return std::nullopt;
  const std::vector<bool> seen = seen_variables(map);
  std::vector<Index> variables;
  std::vector<Index> new_column(at(inputs.columns()), -1);
  Index columns = 0;
  for (Index c = 0; c < inputs.columns(); ++c) {
    const Index variable = inputs.variable_of[at(c)];
    if (variable >= 0 && !seen[at(variable)]) continue;
    new_column[at(c)] = columns++;
    if (variable >= 0 && (variables.empty() || variables.back() != variable)) variables.push_back(variable);
  }
  if (variables.empty() || 2 * columns > inputs.columns()) return std::nullopt;
  Encoder narrow = encoder.with_variables(variables);
  std::vector<FeaturePart> parts = map.parts();
  for (FeaturePart& part : parts) move_columns(part.centres, new_column);
  Inputs narrow_inputs = narrow.inputs();
  assert(narrow_inputs.columns() == columns);
  return NarrowInputs{std::move(narrow), FeatureMap::from_parts(std::move(parts), std::move(narrow_inputs))};
}

FeatureMap on_all_inputs(const FeatureMap& narrow, const FeatureMap& all) {
  std::vector<FeaturePart> parts = narrow.parts();
  assert(parts.size() == all.parts().size());
  for (std::size_t p = 0; p < parts.size(); ++p) parts[p].centres.groups = all.parts()[p].centres.groups;
  return FeatureMap::from_parts(std::move(parts), all.inputs());
}

}  // namespace weft::detail
