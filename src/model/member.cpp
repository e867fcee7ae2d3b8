#include <weft/member.hpp>

#include <weft/error.hpp>

#include "core/at.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace weft {

using namespace detail;

namespace {

class MemberCheck {
 public:
  explicit MemberCheck(const Member& member) : member_(member) {}

  void run(Index encoded, Index outputs) const {
    require(std::isfinite(member_.weight), "its weight is not finite");
    member_.transform.check(encoded);
    check_splits(member_.transform.inputs(encoded));
    check_tree();
    for (const Leaf& leaf : member_.leaves) check_leaf(leaf, member_.transform.inputs(encoded), outputs);
  }

 private:
  void require(bool condition, const char* what) const {
    if (!condition)
      throw Error(ErrorKind::model, fmt::format("the member '{}' is inconsistent: {}", member_.name, what), {},
                  "train the model again");
  }

  void check_splits(Index inputs) const {
    for (const Split& split : member_.splits) {
      require(split.input >= 0 && split.input < inputs, "a split on an input that does not exist");
      require(std::isfinite(split.threshold), "a threshold that is not finite");
    }
  }

  // From the root to all descendants: whoever is met twice has two parents or is its own ancestor.
  void check_tree() const {
    const auto splits = static_cast<Index>(member_.splits.size());
    const auto leaves = static_cast<Index>(member_.leaves.size());
    std::vector<bool> met(at(splits + leaves));
    std::vector<Index> open = {splits == 0 ? -1 : 0};
    while (!open.empty()) {
      const Index node = open.back();
      open.pop_back();
      require(node < splits && node >= -leaves, "a branch to a split or leaf that does not exist");
      const Index place = node >= 0 ? node : splits - 1 - node;
      require(!met[at(place)], "a split or leaf with two parents");
      met[at(place)] = true;
      if (node < 0) continue;
      open.push_back(member_.splits[at(node)].below);
      open.push_back(member_.splits[at(node)].above);
    }
    require(std::find(met.begin(), met.end(), false) == met.end(), "a split or leaf that no row reaches");
  }

  void check_leaf(const Leaf& leaf, Index inputs, Index outputs) const {
    require(leaf.map.inputs().columns() == inputs, "inputs and features of a leaf");
    require(leaf.coefficients.rows() == leaf.map.features(), "coefficients and features of a leaf");
    require(leaf.coefficients.rows() == 0 || leaf.coefficients.cols() == outputs, "coefficients and outputs of a leaf");
    require(static_cast<Index>(leaf.intercepts.size()) == outputs, "intercepts of a leaf");
  }

  const Member& member_;
};

}  // namespace

Index Member::features() const {
  Index count = 0;
  for (const Leaf& leaf : leaves) count += leaf.map.features();
  return count;
}

LeafSummary Member::summary() const {
  LeafSummary summary;
  summary.leaves = static_cast<Index>(leaves.size());
  summary.features = features();
  const auto add_kind = [&](const std::string& kind) {
    if (std::find(summary.kinds.begin(), summary.kinds.end(), kind) == summary.kinds.end())
      summary.kinds.push_back(kind);
  };
  std::set<double> bandwidths;
  for (const Leaf& leaf : leaves) {
    for (const FeaturePart& part : leaf.map.parts()) add_kind(part.family.name());
    const Kernel* kernel = leaf.map.kernel();
    if (kernel == nullptr) continue;
    add_kind(kernel->name());
    if (kernel->has_bandwidth()) bandwidths.insert(kernel->bandwidth());
  }
  summary.bandwidths.assign(bandwidths.begin(), bandwidths.end());
  return summary;
}

Index leaf_of(std::span<const Split> splits, View<const double> x, Index row) {
  Index node = splits.empty() ? -1 : 0;
  while (node >= 0) {
    const Split& split = splits[at(node)];
    node = x(split.input, row) <= split.threshold ? split.below : split.above;
  }
  return -1 - node;
}

void Member::check(Index encoded, Index outputs) const {
  MemberCheck(*this).run(encoded, outputs);
}

}  // namespace weft
