// A model as a program for places where weft is not installed: C, C++, JavaScript or ONNX.
#pragma once

#include <weft/model.hpp>

#include <optional>
#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

enum class ExportTarget { c, cpp, js, onnx };
constexpr auto choice_names(ExportTarget) {
  return std::array{"c", "c++", "js", "onnx"};
}

struct ExportOptions {
  Setting<ExportTarget> to = default_value(ExportTarget::c);
  Setting<std::string> name = default_value("model");
  bool main = false;
  Index inline_numbers = 100'000;
  std::optional<double> interval = {};
  DecisionOptions decision = {};

  static auto fields() {
    using O = ExportOptions;
    return std::tuple{
        Field{"to", &O::to,
              "what to write: a C99 file, a C++11 header, an ES module of JavaScript or an ONNX graph (opset 17); if "
              "it is not given, as the "
              "name of the "
              "file ends"},
        Field{"name", &O::name, Allowed::anything(),
              "what the names of the program begin with: a letter, then letters, digits and _; if it is not given, the "
              "name of "
              "the file"},
        Field{"main", &O::main, Allowed::anything(),
              "C and C++: add a program that reads a CSV table from standard input and writes its predictions"},
        Field{"inline_numbers", &O::inline_numbers, Allowed::at_least(0),
              "C, C++ and JavaScript: most parameters in the text; a model with more has all of them in a binary file "
              "beside it"},
        Field{"interval", &O::interval, Allowed::inside(0, 1),
              "numbers: give the lower and upper ends as well, of an interval that covers this share of new rows"},
    };
  }
};

/// The files of an exported model, in memory.
struct ExportedModel {
  ExportTarget to = ExportTarget::c;
  std::string name;
  std::string contents;  ///< of the program
  /// Of the file of parameters beside it, to be called NAME.bin; empty: they are in the program.
  std::string parameters_file = {};
  Index parameters = 0;                          ///< numbers of the model, scales and knots included
  std::vector<std::string> number_columns = {};  ///< inputs of the program, in its order
  std::vector<std::string> text_columns = {};
  std::vector<std::string> outputs =
      {};                               ///< targets and ends of intervals, quantiles, or a class and its probabilities
  std::vector<std::string> files = {};  ///< that were written

  std::string to_json() const;  ///< all but the contents, whose sizes it has
};

/// Reads cells as `weft predict` does, with the model's rules for missing cells and unseen categories, and predicts the
/// same to rounding (docs/export.md). Throws Error(option), with the remedy, for what the target cannot express.
ExportedModel export_model(const Model& model, const ExportOptions& options = {});

/// The same, written to a file whose name says the target (.c; .h, .hpp, .hh, .cpp, .cc; .js, .mjs; .onnx) and begins
/// the names in it where the options do not, and to NAME.bin beside it where there is a file of parameters.
ExportedModel export_file(const Model& model, const std::string& path, ExportOptions options = {});

}  // namespace weft
