// Members, leaves and the link as operators of opset 17; all numbers are doubles but in arcsin, which runtimes have in
// single precision alone.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>

#include <fmt/format.h>

#include "core/at.hpp"
#include "export/onnx_cells.hpp"
#include "export/writers.hpp"

namespace weft::detail {

namespace {

// Protocol buffers end at 2 GiB.
constexpr std::size_t kMostBytes = 2'000'000'000;

class OnnxWriter {
 public:
  explicit OnnxWriter(const Program& program) : program_(program) {}

  std::string write(const std::string& name, const std::string& description) {
    const std::string x = onnx_inputs(program_, graph_);
    std::string scores = row(program_.intercepts, program_.outputs);
    for (const MemberStep& member : program_.members)
      scores = op("Add", scores, with("Mul", member_scores(member, x), member.weight));
    link(scores);
    return graph_.bytes(name, description);
  }

 private:
  std::string node(const char* name, const std::string& a) { return graph_.node(name, {a}); }
  std::string op(const char* name, const std::string& a, const std::string& b) { return graph_.node(name, {a, b}); }
  std::string with(const char* name, const std::string& a, double b) { return op(name, a, graph_.number(b)); }
  std::string axes(Index axis) { return graph_.integers({axis}, {1}); }
  std::string slice(Index first, std::vector<Index> shape) {
    Index size = 1;
    for (const Index length : shape) size *= length;
    const double* from = program_.parameters.data() + first;
    return graph_.numbers({from, from + size}, shape);
  }
  std::string row(Index first, Index count) { return slice(first, {count}); }

  /// The inputs of a member.
  std::string transformed(const MemberStep& member, const std::string& x) {
    std::string z = x;
    if (member.columns >= 0) {
      const auto first = program_.integers.begin() + member.columns;
      z = graph_.columns(z, {first, first + member.count});
    }
    if (member.factors >= 0) z = op("Mul", z, row(member.factors, member.count));
    if (member.matrix < 0) return z;
    const std::string matrix = slice(member.matrix, {member.inputs, member.count});
    return op("MatMul", z, graph_.node("Transpose", {matrix}));
  }

  std::string member_scores(const MemberStep& member, const std::string& x) {
    const std::string z = transformed(member, x);
    return member.root < 0 ? leaf_scores(program_.leaves[at(-1 - member.root)], member.inputs, z)
                           : tree_scores(member, z);
  }

  std::string leaf_scores(const LeafStep& leaf, Index inputs, const std::string& z) {
    std::string scores = row(leaf.intercepts, program_.outputs);
    // Groups with one activation and spread are one product of matrices.
    std::map<std::tuple<Index, double, bool>, std::vector<Index>> alike;
    for (Index g = leaf.groups; g < leaf.groups + leaf.group_count; ++g) {
      const FeatureGroup& group = program_.groups[at(g)];
      alike[{group.activation, group.spread, group.axis}].push_back(g);
    }
    for (const auto& [kind, groups] : alike)
      scores = op("Add", scores, onnx_features(program_, groups, inputs, z, graph_));
    if (leaf.sections >= 0) scores = op("Add", scores, section_scores(program_.sections[at(leaf.sections)], z));
    return scores;
  }

  std::string decay(const std::string& distance, const std::string& rate, double power) {
    const std::string u = op("Mul", distance, rate);
    return node("Exp", node("Neg", power == 1 ? u : power == 0.5 ? node("Sqrt", u) : with("Pow", u, power)));
  }

  /// Distances along the third axis: rows × landmarks.
  std::string distances(const KernelStep& kernel, const std::string& z, const std::string& landmarks) {
    const std::string difference = op("Sub", op("Unsqueeze", z, axes(1)), landmarks);
    const std::string terms = kernel.formula == "laplace" ? node("Abs", difference) : op("Mul", difference, difference);
    return graph_.node("ReduceSum", {terms, axes(2)}, {{"keepdims", Index{0}}});
  }

  /// Landmarks of a section, one after the other: where they are among the parameters.
  std::vector<Index> landmark_places(const SectionGroup& section) const {
    std::vector<Index> places;
    for (Index t = 0; t < section.count; ++t) {
      const Index position =
          section.positions < 0 ? t : static_cast<Index>(program_.parameters[at(section.positions + t)]);
      places.push_back(section.landmarks + position * section.width);
    }
    return places;
  }

  std::string rows_at(const std::vector<Index>& places, Index width) {
    std::vector<double> numbers;
    for (const Index place : places) {
      const double* first = program_.parameters.data() + place;
      numbers.insert(numbers.end(), first, first + width);
    }
    return graph_.numbers(numbers, {static_cast<Index>(places.size()), width});
  }

  std::string section_scores(const SectionGroup& section, const std::string& z) {
    const KernelStep& kernel = program_.kernels[at(section.kernel)];
    const std::string landmarks = rows_at(landmark_places(section), section.width);
    const std::string values = kernel.formula == "angular"
                                   ? angles(z, landmarks)
                                   : decay(distances(kernel, z, landmarks), graph_.number(kernel.rate), kernel.power);
    return op("MatMul", values, slice(section.coefficients, {section.count, program_.outputs}));
  }

  std::string angles(const std::string& z, const std::string& landmarks) {
    const auto norms = [&](const std::string& rows) {
      return node("Sqrt", op("ReduceSum", op("Mul", rows, rows), axes(1)));
    };
    const std::string products = op("MatMul", z, graph_.node("Transpose", {landmarks}));
    const std::string sizes = op("Mul", norms(z), graph_.node("Transpose", {norms(landmarks)}));
    const std::string cosine = op("Div", products, with("Max", sizes, 1e-300));
    const std::string inside = with("Max", with("Min", cosine, 1), -1);
    return with("Mul", graph_.in_single("Asin", inside), 2 / std::numbers::pi);
  }

  /// The leaves of a tree in order, and for each whether it lies below (1) or above (−1) a split.
  struct Paths {
    std::vector<Index> splits, leaves;
    std::vector<std::vector<double>> sides;  ///< per leaf, by position of the split in `splits`
  };
  void follow(Index child, std::vector<std::pair<Index, double>> path, Paths& paths) const {
    if (child < 0) {
      paths.leaves.push_back(-1 - child);
      paths.sides.emplace_back();
      for (const auto& [split, side] : path) {
        paths.sides.back().resize(std::max(paths.sides.back().size(), at(split + 1)));
        paths.sides.back()[at(split)] = side;
      }
      return;
    }
    const auto split = static_cast<Index>(paths.splits.size());
    paths.splits.push_back(child);
    path.emplace_back(split, 1);
    follow(program_.splits[at(child)].below, path, paths);
    path.back().second = -1;
    follow(program_.splits[at(child)].above, std::move(path), paths);
  }

  /// The leaf that a row reaches is the one whose splits all say so: with c = 1 where a row goes below, Σ side·c equals
  /// the number of sides below on its path, and for no other leaf (Nakandala et al. 2020).
  std::string leaf_positions(const Paths& paths, const std::string& z) {
    const auto splits = static_cast<Index>(paths.splits.size()), leaves = static_cast<Index>(paths.leaves.size());
    std::vector<Index> inputs;
    std::vector<double> thresholds, sides(at(splits * leaves)), below(at(leaves));
    for (const Index split : paths.splits) {
      inputs.push_back(program_.splits[at(split)].input);
      thresholds.push_back(program_.splits[at(split)].threshold);
    }
    for (Index leaf = 0; leaf < leaves; ++leaf)
      for (std::size_t split = 0; split < paths.sides[at(leaf)].size(); ++split) {
        const double side = paths.sides[at(leaf)][split];
        sides[split * at(leaves) + at(leaf)] = side;
        below[at(leaf)] += side > 0 ? 1 : 0;
      }
    const std::string goes_below = op("LessOrEqual", graph_.columns(z, inputs), graph_.numbers(thresholds, {splits}));
    const std::string sums =
        op("MatMul", graph_.cast(goes_below, OnnxType::float64), graph_.numbers(sides, {splits, leaves}));
    const std::string reached = graph_.cast(op("Equal", sums, graph_.numbers(below, {leaves})), OnnxType::int64);
    return graph_.node("ArgMax", {reached}, {{"axis", Index{1}}, {"keepdims", Index{0}}});
  }

  /// Landmarks, coefficients and rates of the leaf of each row, gathered.
  std::string tree_scores(const MemberStep& member, const std::string& z) {
    Paths paths;
    follow(member.root, {}, paths);
    const std::string leaf = leaf_positions(paths, z);
    const auto of_leaf = [&](const std::string& table) { return op("Gather", table, leaf); };
    Tables tables = leaf_tables(paths.leaves);
    const auto leaves = static_cast<Index>(paths.leaves.size());
    std::string scores = of_leaf(graph_.numbers(tables.intercepts, {leaves, program_.outputs}));
    if (tables.most == 0) return scores;
    const std::string places = of_leaf(graph_.integers(tables.places, {leaves, tables.most}));
    const std::string landmarks = op("Gather", rows_at(tables.rows, member.inputs), places);
    const std::string rates = op("Unsqueeze", of_leaf(graph_.numbers(tables.rates, {leaves})), axes(1));
    const std::string values = decay(distances(*tables.kernel, z, landmarks), rates, tables.kernel->power);
    const std::string coefficients =
        of_leaf(graph_.numbers(tables.coefficients, {leaves, tables.most, program_.outputs}));
    const std::string products = op("MatMul", op("Unsqueeze", values, axes(1)), coefficients);
    return op("Add", scores, op("Squeeze", products, axes(1)));
  }

  struct Tables {
    Index most = 0;  ///< landmarks of a leaf
    const KernelStep* kernel = nullptr;
    std::vector<double> intercepts, rates, coefficients;
    std::vector<Index> rows, places;  ///< different landmarks, and those of each leaf
  };

  Tables leaf_tables(const std::vector<Index>& leaves) const {
    Tables tables;
    for (const Index l : leaves) {
      const LeafStep& leaf = program_.leaves[at(l)];
      if (leaf.sections >= 0) tables.most = std::max(tables.most, program_.sections[at(leaf.sections)].count);
    }
    std::map<Index, Index> known;
    for (const Index l : leaves) {
      const LeafStep& leaf = program_.leaves[at(l)];
      const double* intercepts = program_.parameters.data() + leaf.intercepts;
      tables.intercepts.insert(tables.intercepts.end(), intercepts, intercepts + program_.outputs);
      add_leaf_rows(leaf, known, tables);
    }
    return tables;
  }

  /// Leaves with fewer landmarks are filled up with coefficients of 0.
  void add_leaf_rows(const LeafStep& leaf, std::map<Index, Index>& known, Tables& tables) const {
    const auto places = tables.places.size() + at(tables.most);
    const auto coefficients = tables.coefficients.size() + at(tables.most * program_.outputs);
    double rate = 1;
    if (leaf.sections >= 0) {
      const SectionGroup& section = program_.sections[at(leaf.sections)];
      const KernelStep& kernel = program_.kernels[at(section.kernel)];
      if (tables.kernel == nullptr) tables.kernel = &kernel;
      check_leaf(leaf, kernel, *tables.kernel);
      rate = kernel.rate;
      for (const Index place : landmark_places(section)) {
        const auto [row, is_new] = known.emplace(place, static_cast<Index>(known.size()));
        if (is_new) tables.rows.push_back(place);
        tables.places.push_back(row->second);
      }
      const double* first = program_.parameters.data() + section.coefficients;
      tables.coefficients.insert(tables.coefficients.end(), first, first + section.count * program_.outputs);
    }
    tables.rates.push_back(rate);
    tables.places.resize(places);
    tables.coefficients.resize(coefficients);
  }

  static void check_leaf(const LeafStep& leaf, const KernelStep& kernel, const KernelStep& other) {
    if (leaf.group_count == 0 && kernel.formula == other.formula && kernel.power == other.power &&
        kernel.formula != "angular")
      return;
    throw Error(ErrorKind::option, "a tree whose leaves differ in kind cannot be expressed by the operators of ONNX",
                "‹to›", "use another target");
  }

  /// log(1/(1 + exp(−z))).
  std::string log_sigmoid(const std::string& z) {
    const std::string tail = node("Log", with("Add", node("Exp", node("Neg", node("Abs", z))), 1));
    return op("Sub", with("Min", z, 0), tail);
  }

  std::string log_odds(const std::string& scores) {
    const Index slopes = program_.link.slopes;
    if (slopes < 0) return scores;
    const std::string scaled = op("Mul", scores, row(slopes, program_.outputs));
    return node("Neg", op("Add", scaled, row(slopes + program_.outputs, program_.outputs)));
  }

  void link(const std::string& scores) {
    const auto values = static_cast<Index>(program_.outputs);
    switch (program_.link.kind) {
      case LinkStep::Kind::binary:
      case LinkStep::Kind::multiclass:
        return link_classes(scores);
      case LinkStep::Kind::poisson:
        return output_numbers(node("Exp", scores));
      case LinkStep::Kind::quantiles:
        return graph_.output("prediction", sorted(scores), OnnxType::float64, values);
      case LinkStep::Kind::numbers:
        return output_numbers(scores);
    }
  }

  void output_numbers(const std::string& numbers) {
    graph_.output("prediction", numbers, OnnxType::float64, program_.outputs);
    if (program_.link.ends < 0) return;
    const std::string lower = op("Add", numbers, row(program_.link.ends, program_.outputs));
    const bool counts = program_.link.kind == LinkStep::Kind::poisson;
    graph_.output("lower", counts ? with("Max", lower, 0) : lower, OnnxType::float64, program_.outputs);
    graph_.output("upper", op("Add", numbers, row(program_.link.ends + program_.outputs, program_.outputs)),
                  OnnxType::float64, program_.outputs);
  }

  std::string sorted(const std::string& scores) {
    return graph_.node("TopK", {scores, axes(program_.outputs)}, {{"axis", Index{1}}, {"largest", Index{0}}});
  }

  void link_classes(const std::string& scores) {
    const bool binary = program_.link.kind == LinkStep::Kind::binary;
    std::string probabilities;
    if (program_.link.probabilities && binary) {
      const std::string odds = log_odds(scores);
      probabilities =
          graph_.node("Concat", {node("Sigmoid", node("Neg", odds)), node("Sigmoid", odds)}, {{"axis", Index{1}}});
    } else if (program_.link.probabilities) {
      const std::string logits = program_.link.slopes < 0 ? scores : log_sigmoid(log_odds(scores));
      probabilities = graph_.node("Softmax", {logits}, {{"axis", Index{1}}});
    }
    std::string position;
    if (!binary)
      position = graph_.node("ArgMax", {scores}, {{"axis", Index{1}}, {"keepdims", Index{1}}});
    else if (program_.link.threshold)
      position = graph_.cast(with("GreaterOrEqual", graph_.columns(probabilities, {1}), *program_.link.threshold),
                             OnnxType::int64);
    else
      position = graph_.cast(with("Greater", scores, 0), OnnxType::int64);
    std::vector<Index> keys;
    for (std::size_t k = 0; k < program_.classes.size(); ++k) keys.push_back(static_cast<Index>(k));
    const std::string label =
        graph_.table_node("LabelEncoder", {position}, {{"keys_int64s", keys}, {"values_strings", program_.classes}});
    graph_.output("label", label, OnnxType::string, 1);
    if (!probabilities.empty())
      graph_.output("probabilities", probabilities, OnnxType::float64, static_cast<Index>(program_.classes.size()));
  }

  const Program& program_;
  OnnxGraph graph_;
};

}  // namespace

void write_onnx(const Program& program, const ExportOptions& options, ExportedModel& exported) {
  exported.contents = OnnxWriter(program).write(*options.name, describe_program(program, options, false));
  if (exported.contents.size() > kMostBytes)
    throw Error(ErrorKind::option,
                fmt::format("the model takes {} bytes, and ONNX files end at 2 GB", exported.contents.size()), "‹to›",
                "prune the model (weft prune), or use another target");
  exported.number_columns.clear();
  for (const ColumnStep& column : program.columns)
    if (column.reader == CellReader::number || column.reader == CellReader::date)
      exported.number_columns.push_back(column.name);
  exported.text_columns.clear();
  for (const ColumnStep& column : program.columns)
    if (column.reader == CellReader::boolean || column.reader == CellReader::category)
      exported.text_columns.push_back(column.name);
}

}  // namespace weft::detail
