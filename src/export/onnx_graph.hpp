// A graph of ONNX operators, and its bytes.
//
// The file is protocol buffers, whose wire format is fields of varints and of byte strings: a few functions write all
// of it, and weft needs neither Debian's libprotobuf nor the ONNX schema to be installed where it is built or run.
#pragma once

#include <weft/matrix.hpp>

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace weft::detail {

enum class OnnxType { float32 = 1, int64 = 7, string = 8, boolean = 9, float64 = 11 };

struct OnnxAttribute {
  std::string name;
  std::variant<Index, std::string, std::vector<Index>, std::vector<std::string>> value;
};

/// Values are known by the names that functions return. Tensors of one row per row of the table are rows × columns.
class OnnxGraph {
 public:
  using Names = std::vector<std::string>;

  /// rows × 1.
  std::string input(const std::string& name, OnnxType type);
  /// rows × columns.
  void output(const std::string& name, const std::string& value, OnnxType type, Index columns);

  std::string node(const std::string& op, const Names& inputs, const std::vector<OnnxAttribute>& attributes = {});
  /// An operator of ai.onnx.ml.
  std::string table_node(const std::string& op, const Names& inputs, const std::vector<OnnxAttribute>& attributes);

  std::string number(double value);  ///< a scalar
  std::string numbers(const std::vector<double>& values, const std::vector<Index>& shape);
  std::string integers(const std::vector<Index>& values, const std::vector<Index>& shape);

  std::string cast(const std::string& value, OnnxType to);
  /// An operator that runtimes have in single precision alone.
  std::string in_single(const std::string& op, const std::string& value);
  std::string columns(const std::string& value, const std::vector<Index>& which);  ///< Gather along the columns

  /// The model file.
  std::string bytes(const std::string& name, const std::string& description) const;

 private:
  std::string add_node(const std::string& op, const Names& inputs, const std::vector<OnnxAttribute>& attributes,
                       const std::string& domain, std::string output);
  std::string tensor(OnnxType type, const std::vector<Index>& shape, const std::string& raw);
  std::string fresh() { return "weft/" + std::to_string(names_++); }

  Index names_ = 0;
  std::string nodes_, tensors_, inputs_, outputs_;  // fields of GraphProto
};

}  // namespace weft::detail
