#include "model.hpp"

#include "job.hpp"
#include "options.hpp"
#include "sealed.hpp"
#include "table.hpp"

#include <weft/content_id.hpp>
#include <weft/model.hpp>
#include <weft/row_predictor.hpp>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>

namespace py = pybind11;

namespace weft::python {

namespace {

/// A kind of prediction: where a block has it, and how many numbers it is per row.
struct Wanted {
  Matrix PredictionBlock::*member;
  Index columns;
};

Wanted wanted(const Model& model, const std::string& kind) {
  const auto classes = static_cast<Index>(model.target().classes.size());
  if (kind == "values") return {&PredictionBlock::values, classes > 0 ? 1 : model.outputs()};
  if (kind == "scores") return {&PredictionBlock::scores, model.outputs()};
  if (kind == "std") return {&PredictionBlock::std, model.outputs()};
  if (kind == "lower") return {&PredictionBlock::lower, model.outputs()};
  if (kind == "upper") return {&PredictionBlock::upper, model.outputs()};
  if (kind == "sets") return {&PredictionBlock::sets, classes};
  if (kind != "probabilities") throw py::value_error("there are no predictions called " + kind);
  model.check_probabilities();
  return {&PredictionBlock::probabilities, classes};
}

std::vector<py::array_t<double>> predict(const Model& model, const Table& table, const std::vector<std::string>& kinds,
                                         const py::dict& run_options, const py::dict& intervals,
                                         const Table* calibration) {
  std::vector<Wanted> asked;
  std::vector<py::array_t<double>> arrays;
  std::vector<double*> memory;
  PredictOptions options{.intervals = options_from<IntervalOptions>(intervals)};
  for (const std::string& kind : kinds) {
    asked.push_back(wanted(model, kind));
    arrays.emplace_back(std::vector<py::ssize_t>{table.rows(), asked.back().columns});
    memory.push_back(arrays.back().mutable_data());
    if (kind == "std") options.with_std = true;
  }
  const Data data = table.data();
  const std::optional<Data> scored = calibration == nullptr ? std::nullopt : std::optional(calibration->data());
  run_job(options_from<RunOptions>(run_options), [&](const Run& run) {
    if (scored) options.conformity = std::make_shared<const Conformity>(conformity_of(model, *scored, run));
    model.for_each_prediction(
        data, options,
        [&](const PredictionBlock& block) {
          for (std::size_t k = 0; k < asked.size(); ++k) {
            const Matrix& part = block.*asked[k].member;
            std::copy_n(part.data(), part.rows() * part.cols(), memory[k] + block.first_row * asked[k].columns);
          }
        },
        run);
  });
  return arrays;
}

/// A row of numbers, as rows × columns; None where something about it has to be said: the general way does that.
py::object predict_row(const RowPredictor& predictor, const py::array_t<double, py::array::c_style>& row,
                       const std::string& kind) {
  const std::span cells(row.data(), static_cast<std::size_t>(row.size()));
  thread_local RowPrediction prediction;
  if (!std::all_of(cells.begin(), cells.end(), [](double cell) { return std::isfinite(cell); })) return py::none();
  predictor.predict(cells, prediction);
  if (prediction.unseen > 0) return py::none();
  const std::vector<double>& numbers = kind == "values"   ? prediction.values
                                       : kind == "scores" ? prediction.scores
                                                          : prediction.probabilities;
  py::array_t<double> result({py::ssize_t{1}, static_cast<py::ssize_t>(numbers.size())});
  std::copy(numbers.begin(), numbers.end(), result.mutable_data());
  return result;
}

py::dict report(const Model& model) {
  const FitReport& told = model.parts().report;
  py::dict all;
  for (const auto& [name, number] : told.numbers) all[py::str(name)] = number;
  for (const auto& [name, word] : told.words) all[py::str(name)] = word;
  py::dict seconds;
  for (const auto& [stage, time] : told.seconds) seconds[py::str(stage)] = time;
  all["seconds"] = seconds;
  all["warnings"] = told.warnings;
  return all;
}

py::array_t<double> coefficients(const Model& model) {
  const Matrix& numbers = model.parts().coefficients;
  return py::array_t<double>(std::vector<py::ssize_t>{numbers.rows(), numbers.cols()}, numbers.data());
}

}  // namespace

void bind_model(py::module_& module) {
  sealed_class<RowPredictor>(module, "RowPredictor", "A model prepared for single rows of numbers.")
      .def("predict", &predict_row, py::arg("row").noconvert(), py::arg("kind"));
  sealed_class<Model>(module, "Model", "A fitted model: what a model file holds.")
      .def_static("load", &Model::load, py::arg("path"), py::call_guard<py::gil_scoped_release>())
      .def("save", &Model::save, py::arg("path"), py::call_guard<py::gil_scoped_release>())
      .def("to_bytes", [](const Model& model) { return py::bytes(model.to_bytes()); })
      .def_static(
          "from_bytes", [](const py::bytes& bytes) { return Model::from_bytes(bytes); }, py::arg("bytes"))
      .def("predict", &predict, py::arg("table"), py::arg("kinds"), py::arg("run"), py::arg("intervals") = py::dict(),
           py::arg("calibration") = static_cast<const Table*>(nullptr))
      .def("row_predictor", [](const Model& model) { return std::make_unique<RowPredictor>(model); })
      .def_property_readonly("task", [](const Model& model) { return task_name(model.target().task); })
      .def_property_readonly("target_names", [](const Model& model) { return model.target().names; })
      .def_property_readonly("loss",
                             [](const Model& model) {
                               const FittedLoss& loss = model.parts().loss;
                               py::dict all;
                               all["name"] = name_of(loss.kind);
                               all["quantiles"] = loss.quantiles;
                               all["thresholds"] = loss.thresholds;
                               return all;
                             })
      .def_property_readonly("classes", [](const Model& model) { return model.target().classes; })
      .def_property_readonly("outputs", &Model::outputs)
      .def_property_readonly("has_probabilities", &Model::has_probabilities)
      .def_property_readonly("has_std", [](const Model& model) { return model.parts().variance_factor.rows() > 0; })
      .def_property_readonly("has_intervals", [](const Model& model) { return !model.parts().conformity.empty(); })
      .def_property_readonly("features", &Model::features)
      .def_property_readonly("coefficients", &coefficients)
      .def_property_readonly("intercepts", [](const Model& model) { return model.parts().intercepts; })
      .def_property_readonly("relevance", [](const Model& model) { return model.parts().relevance; })
      .def_property_readonly("report", &report)
      .def_property_readonly("content_id", &content_id)
      .def_property_readonly("options", [](const Model& model) { return model.parts().options; })
      .def_property_readonly("provenance", [](const Model& model) { return model.parts().provenance; })
      .def_property_readonly("encoder", [](const Model& model) { return model.parts().encoder.to_json(); });
}

}  // namespace weft::python
