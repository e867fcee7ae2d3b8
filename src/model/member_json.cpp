#include "model/member_json.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/at.hpp"
#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "model/feature_map_json.hpp"

namespace weft::detail {

namespace {

void require_members(bool condition, const char* what) {
  if (!condition) throw Error(ErrorKind::model, fmt::format("its members are inconsistent: {}", what));
}

double finite_weight(const Json& json) {
  const double weight = number_from_json(json);
  require_members(std::isfinite(weight), "a weight that is not finite");
  return weight;
}

/// Different rows of numbers, in the order in which they came.
class RowTable {
 public:
  explicit RowTable(Index width) : width_(at(width)) {}

  /// The position of a row with these bits.
  Index add(const std::vector<double>& row) {
    const std::string_view bytes(reinterpret_cast<const char*>(row.data()), width_ * sizeof(double));
    const std::size_t hash = std::hash<std::string_view>()(bytes);
    const auto [first, last] = places_.equal_range(hash);
    for (auto place = first; place != last; ++place)
      if (std::memcmp(numbers_.data() + at(place->second) * width_, row.data(), bytes.size()) == 0)
        return place->second;
    const auto place = static_cast<Index>(places_.size());
    places_.emplace(hash, place);
    numbers_.insert(numbers_.end(), row.begin(), row.end());
    return place;
  }

  Matrix matrix() const {
    Matrix rows(static_cast<Index>(places_.size()), static_cast<Index>(width_));
    std::copy(numbers_.begin(), numbers_.end(), rows.data());
    return rows;
  }

 private:
  std::size_t width_;
  std::vector<double> numbers_;
  std::unordered_multimap<std::size_t, Index> places_;  ///< by hash
};

class MembersWriter {
 public:
  explicit MembersWriter(BlockFileWriter& file) : file_(file) {}

  Json add(const Member& member) {
    const Index transform = transform_of(member);
    Json json = {{"name", text_to_json(member.name)},
                 {"weight", number_to_json(member.weight)},
                 {"transform", transform},
                 {"maps", Json::array()}};
    add_splits(member);
    add_leaves(member, transforms_[at(transform)].landmarks, json["maps"]);
    ++members_;
    return json;
  }

  void finish() {
    for (std::size_t t = 0; t < transforms_.size(); ++t) {
      const auto name = [&](const char* what) { return fmt::format("transform{}.{}", t, what); };
      const InputTransform& transform = *transforms_[t].transform;
      file_.add_packed(name("columns"), transform.columns);
      file_.add(name("factors"), transform.factors);
      file_.add(name("matrix"), transform.matrix);
      file_.add_packed(name("landmarks"), transforms_[t].landmarks.matrix());
    }
  }

 private:
  struct Transform {
    const InputTransform* transform;
    RowTable landmarks;
  };

  std::string name(const char* what) const { return fmt::format("member{}.{}", members_, what); }

  Index transform_of(const Member& member) {
    const auto found = std::find_if(transforms_.begin(), transforms_.end(),
                                    [&](const Transform& known) { return *known.transform == member.transform; });
    const auto position = static_cast<Index>(found - transforms_.begin());
    if (found == transforms_.end())
      transforms_.push_back({&member.transform, RowTable(member.leaves.front().map.inputs().columns())});
    return position;
  }

  void add_splits(const Member& member) {
    std::vector<Index> inputs, children;
    Matrix thresholds(static_cast<Index>(member.splits.size()), 1);
    for (const Split& split : member.splits) {
      thresholds(static_cast<Index>(inputs.size()), 0) = split.threshold;
      inputs.push_back(split.input);
      children.insert(children.end(), {split.below, split.above});
    }
    file_.add_packed(name("split_inputs"), std::move(inputs));
    file_.add_packed(name("thresholds"), std::move(thresholds));
    file_.add_packed(name("children"), std::move(children));
  }

  void add_leaves(const Member& member, RowTable& table, Json& maps) {
    const auto outputs = static_cast<Index>(member.leaves.front().intercepts.size());
    Matrix intercepts(static_cast<Index>(member.leaves.size()), outputs);
    Matrix coefficients(member.features(), outputs);
    std::vector<Index> sizes, map_of, landmarks;
    std::map<std::string, Index> known;
    double* end = coefficients.data();
    for (const Leaf& leaf : member.leaves) {
      std::copy(leaf.intercepts.begin(), leaf.intercepts.end(), intercepts.row(static_cast<Index>(sizes.size())));
      end = std::copy_n(leaf.coefficients.data(), leaf.coefficients.rows() * outputs, end);
      sizes.push_back(leaf.map.features());
      map_of.push_back(add_map(leaf.map, maps, known));
      if (leaf.map.sections() != nullptr) add_landmarks(leaf.map.sections()->landmarks, table, landmarks);
    }
    file_.add_packed(name("maps"), std::move(map_of));
    file_.add_packed(name("sizes"), std::move(sizes));
    file_.add_packed(name("landmarks"), std::move(landmarks));
    file_.add_packed(name("coefficients"), std::move(coefficients));
    file_.add_packed(name("intercepts"), std::move(intercepts));
  }

  // Leaves with the same kernel share its entry, which has no blocks.
  Index add_map(const FeatureMap& map, Json& maps, std::map<std::string, Index>& known) {
    const auto position = static_cast<Index>(maps.size());
    Json json = features_to_json(map, name(fmt::format("map{}.", position).c_str()), file_);
    if (map.sections() != nullptr || map.features() == 0) {
      const auto [found, is_new] = known.emplace(json.dump(), position);
      if (!is_new) return found->second;
    }
    maps.push_back(std::move(json));
    return position;
  }

  static void add_landmarks(const Matrix& landmarks, RowTable& table, std::vector<Index>& positions) {
    std::vector<double> row(at(landmarks.rows()));
    for (Index t = 0; t < landmarks.cols(); ++t) {
      for (Index j = 0; j < landmarks.rows(); ++j) row[at(j)] = landmarks(j, t);
      positions.push_back(table.add(row));
    }
  }

  BlockFileWriter& file_;
  std::vector<Transform> transforms_;
  Index members_ = 0;
};

/// Rows of a table of landmarks, in the type in which the file has them.
class LandmarkRows {
 public:
  explicit LandmarkRows(StoredIndices stored) : stored_(std::move(stored)) {
    if (const auto* const numbers = std::get_if<BasicMatrix<std::int32_t>>(&stored_))
      count_ = numbers->rows() * numbers->cols();
    else
      count_ = static_cast<Index>(std::get<std::vector<Index>>(stored_).size());
  }
  Index count() const { return count_; }
  bool all_below(Index end) const {
    return std::visit(
        [&](const auto& rows) {
          return std::all_of(rows.data(), rows.data() + count_, [&](Index row) { return row >= 0 && row < end; });
        },
        stored_);
  }
  Index operator[](Index k) const {
    return std::visit([&](const auto& rows) -> Index { return rows.data()[k]; }, stored_);
  }

 private:
  StoredIndices stored_;
  Index count_;
};

/// Landmarks × own inputs, as they lie in the file. Leaves take theirs when the first row reaches them, so that a large
/// model predicts at once; when all have, the table is gone.
class LandmarkTable {
 public:
  explicit LandmarkTable(StoredMatrix numbers) : numbers_(std::move(numbers)) {}
  Index rows() const {
    return std::visit([](const auto& numbers) { return numbers.rows(); }, numbers_);
  }
  Index cols() const {
    return std::visit([](const auto& numbers) { return numbers.cols(); }, numbers_);
  }
  /// Own inputs × `count` of these rows.
  Matrix columns(const LandmarkRows& rows, Index first, Index count) const {
    Matrix landmarks = Matrix::unset(cols(), count);
    std::visit(
        [&](const auto& numbers) {
          for (Index t = 0; t < count; ++t) {
            const auto* row = numbers.row(rows[first + t]);
            for (Index j = 0; j < landmarks.rows(); ++j) landmarks(j, t) = row[j];
          }
        },
        numbers_);
    return landmarks;
  }

 private:
  StoredMatrix numbers_;
};

/// A transform, its own inputs and the landmarks of its members.
struct StoredTransform {
  InputTransform transform;
  Inputs inputs;
  std::shared_ptr<const LandmarkTable> landmarks;
};

/// Hands out the leaves of one member one after the other.
class LeafReader {
 public:
  LeafReader(const Json& maps, const std::string& prefix, const StoredTransform& shared, const BlockFileReader& file)
      : shared_(shared),
        map_of_(file.indices(prefix + "maps")),
        sizes_(file.indices(prefix + "sizes")),
        landmarks_(std::make_shared<const LandmarkRows>(file.stored_indices(prefix + "landmarks"))),
        coefficients_(file.matrix(prefix + "coefficients")),
        intercepts_(file.matrix(prefix + "intercepts")) {
    for (const Json& map : maps)
      maps_.push_back(features_from_json(map, fmt::format("{}map{}.", prefix, maps_.size()), shared.inputs, file));
    check();
  }

  std::vector<Leaf> leaves() {
    std::vector<Leaf> leaves;
    Index feature = 0;
    for (Index k = 0; k < intercepts_.rows(); ++k) {
      const Index size = sizes_[at(k)];
      Leaf leaf{map(map_of_[at(k)], size), Matrix::unset(size, size > 0 ? coefficients_.cols() : 0),
                std::vector<double>(intercepts_.row(k), intercepts_.row(k) + intercepts_.cols())};
      std::copy_n(coefficients_.row(feature), size * leaf.coefficients.cols(), leaf.coefficients.data());
      feature += size;
      leaves.push_back(std::move(leaf));
    }
    return leaves;
  }

 private:
  bool has_landmarks(Index leaf) const { return maps_[at(map_of_[at(leaf)])].kernel.has_value(); }

  // Everything that is indexed, before anything is allocated.
  void check() const {
    const auto leaves = static_cast<std::size_t>(intercepts_.rows());
    require_members(sizes_.size() == leaves && map_of_.size() == leaves, "leaves");
    Index features = 0;
    Index rows = 0;
    for (Index k = 0; k < intercepts_.rows(); ++k) {
      require_members(map_of_[at(k)] >= 0 && at(map_of_[at(k)]) < maps_.size(), "features of a leaf");
      require_members(sizes_[at(k)] >= 0 && sizes_[at(k)] <= coefficients_.rows() - features,
                      "coefficients and leaves");
      features += sizes_[at(k)];
      if (has_landmarks(k)) rows += sizes_[at(k)];
    }
    require_members(features == coefficients_.rows(), "coefficients and leaves");
    require_members(rows == landmarks_->count(), "landmarks and leaves");
    require_members(landmarks_->all_below(shared_.landmarks->rows()), "a landmark that is not there");
    require_members(rows == 0 || shared_.landmarks->cols() == shared_.inputs.columns(), "landmarks and inputs");
    // A few bytes name a row of any width, so that a small file could ask for any amount of memory.
    MemoryPlan(Run{})
        .hold("landmarks", static_cast<double>(rows) * static_cast<double>(shared_.inputs.columns()))
        .check("the members of the model", "", "predict on a machine with more memory");
  }

  FeatureMap map(Index position, Index size) {
    StoredFeatures& stored = maps_[at(position)];
    if (stored.kernel) {
      require_members(size > 0, "a kernel without landmarks");
      return FeatureMap::from_sections(*stored.kernel, size, next_landmarks(size), shared_.inputs);
    }
    // Random features belong to one leaf: a second one finds none.
    FeatureMap map = FeatureMap::from_parts(std::move(stored.parts), shared_.inputs);
    require_members(map.features() == size, "the number of features of a leaf");
    return map;
  }

  std::function<Matrix()> next_landmarks(Index size) {
    const Index first = std::exchange(next_, next_ + size);
    return [table = shared_.landmarks, rows = landmarks_, first, size] { return table->columns(*rows, first, size); };
  }

  const StoredTransform& shared_;
  std::vector<StoredFeatures> maps_;
  std::vector<Index> map_of_, sizes_;
  std::shared_ptr<const LandmarkRows> landmarks_;  ///< of all leaves, one after the other
  Matrix coefficients_, intercepts_;
  Index next_ = 0;
};

StoredTransform transform_from(const std::string& prefix, const Inputs& inputs, const BlockFileReader& file) {
  StoredTransform stored;
  stored.transform = {file.indices(prefix + "columns"), file.numbers(prefix + "factors"),
                      file.matrix(prefix + "matrix")};
  stored.transform.check(inputs.columns());
  stored.inputs = stored.transform.inputs(inputs);
  stored.landmarks = std::make_shared<const LandmarkTable>(file.stored_matrix(prefix + "landmarks"));
  return stored;
}

std::vector<Split> splits_from(const std::string& prefix, const BlockFileReader& file) {
  const std::vector<Index> inputs = file.indices(prefix + "split_inputs");
  const std::vector<double> thresholds = file.numbers(prefix + "thresholds");
  const std::vector<Index> children = file.indices(prefix + "children");
  require_members(thresholds.size() == inputs.size() && children.size() == 2 * inputs.size(), "splits");
  std::vector<Split> splits;
  for (std::size_t k = 0; k < inputs.size(); ++k)
    splits.push_back({inputs[k], thresholds[k], children[2 * k], children[2 * k + 1]});
  return splits;
}

Member member_from(const Json& json, const std::string& prefix, const StoredTransform& shared,
                   const BlockFileReader& file) {
  return {text_from_json(json.at("name")), finite_weight(json.at("weight")), shared.transform,
          splits_from(prefix, file), LeafReader(json.at("maps"), prefix, shared, file).leaves()};
}

}  // namespace

Json members_to_json(std::span<const Member> members, BlockFileWriter& file) {
  Json json = Json::array();
  MembersWriter writer(file);
  for (const Member& member : members) json.push_back(writer.add(member));
  writer.finish();
  return json;
}

std::vector<Member> members_from_json(const Json& json, const Inputs& inputs, const BlockFileReader& file) {
  std::vector<StoredTransform> transforms;
  std::vector<std::uint64_t> transform_of;
  for (const Json& entry : json) {
    require_members(entry.at("transform").is_number_unsigned(), "transforms");
    const auto transform = transform_of.emplace_back(entry.at("transform").get<std::uint64_t>());
    require_members(transform <= transforms.size(), "transforms");
    if (transform == transforms.size())
      transforms.push_back(transform_from(fmt::format("transform{}.", transform), inputs, file));
  }
  std::vector<Member> members(json.size());
  parallel_for(static_cast<Index>(json.size()), Run{}.thread_count(), [&](Index k) {
    members[at(k)] = member_from(json[at(k)], fmt::format("member{}.", k), transforms[transform_of[at(k)]], file);
  });
  return members;
}

}  // namespace weft::detail
