#include "analysis.hpp"

#include "job.hpp"
#include "options.hpp"
#include "table.hpp"

#include <weft/certify.hpp>
#include <weft/explanation.hpp>
#include <weft/export.hpp>
#include <weft/learned_activation.hpp>
#include <weft/leverage.hpp>
#include <weft/prune.hpp>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>

namespace py = pybind11;

namespace weft::python {

namespace {

std::string certify_model(const Model& model, const Table& table, const py::dict& options, const py::dict& run_options,
                          const Model* original, const Table* held_out) {
  const auto wanted = options_from<CertifyOptions>(options);
  const Data data = table.data();
  const std::optional<Data> others = held_out == nullptr ? std::nullopt : std::optional(held_out->data());
  return run_job(options_from<RunOptions>(run_options), [&](const Run& run) {
    return certify(model, data, wanted, run, original, others ? &*others : nullptr).to_json();
  });
}

py::tuple prune_model(const Model& model, const Table& table, const py::dict& options, const py::dict& run_options) {
  const auto wanted = options_from<PruneOptions>(options);
  const Data data = table.data();
  PruneResult result =
      run_job(options_from<RunOptions>(run_options), [&](const Run& run) { return prune(model, data, wanted, run); });
  const std::string told = result.to_json();
  return py::make_tuple(std::move(result.model), told);
}

std::string export_to(const Model& model, const std::string& path, const py::dict& options, const py::dict& decision) {
  auto wanted = options_from<ExportOptions>(options);
  wanted.decision = options_from<DecisionOptions>(decision);
  const py::gil_scoped_release released;
  return export_file(model, path, wanted).to_json();
}

std::string explain_model(const Model& model, const Table& table, const py::dict& options,
                          const py::dict& run_options) {
  const auto wanted = options_from<ExplainOptions>(options);
  const Data data = table.data();
  return run_job(options_from<RunOptions>(run_options),
                 [&](const Run& run) { return explain(model, data, wanted, run).to_json(); });
}

std::vector<std::string> explain_table(const Model& model, const Table& rows, const Table& background,
                                       const py::dict& options, const py::dict& run_options) {
  const auto wanted = options_from<ExplainOptions>(options);
  const Data data = rows.data();
  const Data others = background.data();
  const std::vector<RowExplanation> found = run_job(options_from<RunOptions>(run_options), [&](const Run& run) {
    return explain_rows(model, data, others, wanted, run);
  });
  std::vector<std::string> texts;
  for (const RowExplanation& row : found) texts.push_back(row.to_json());
  return texts;
}

/// One per distinct activation of the model: its name, and the interval that a learned one covers (else None).
py::list activations(const Model& model) {
  py::list all;
  std::vector<const Activation*> seen;
  for (const FeaturePart& part : model.parts().map.parts()) {
    const ActivationPtr& h = part.family.activation;
    if (std::any_of(seen.begin(), seen.end(), [&](const Activation* other) {
          return other == h.get() || (other->name() == h->name() && h->name() != LearnedActivation::kName);
        }))
      continue;
    seen.push_back(h.get());
    py::dict row;
    row["name"] = h->name();
    row["interval"] = py::none();
    if (const auto* learned = dynamic_cast<const LearnedActivation*>(h.get()))
      row["interval"] = py::make_tuple(learned->basis().low(), learned->basis().high());
    row["value"] = py::cpp_function(
        [h](const py::array_t<double, py::array::c_style | py::array::forcecast>& z) {
          py::array_t<double> values(std::vector<py::ssize_t>{z.size()});
          h->value_block(z.size(), z.data(), 0, values.mutable_data());
          return values;
        },
        py::arg("z"));
    all.append(row);
  }
  return all;
}

py::list leverage_of(const Table& table, const py::dict& family, const py::dict& encode,
                     const std::vector<double>& lambdas, const py::dict& run_options) {
  const auto features = options_from<FamilyOptions>(family);
  const auto encoding = options_from<EncodeOptions>(encode);
  const Data data = table.data();
  const Leverage found = run_job(options_from<RunOptions>(run_options),
                                 [&](const Run& run) { return leverage(data, features, lambdas, encoding, run); });
  py::list all;
  for (const LeverageScores& scores : found.by_lambda) {
    py::dict row;
    row["lambda"] = scores.lambda;
    row["scores"] = py::array_t<double>(static_cast<py::ssize_t>(scores.scores.size()), scores.scores.data());
    row["effective_dimension"] = scores.effective_dimension;
    row["max_over_mean"] = scores.max_over_mean;
    row["uniformity"] = scores.uniformity;
    all.append(row);
  }
  return all;
}

}  // namespace

void bind_analysis(py::module_& module) {
  module.def("certify", &certify_model, py::arg("model"), py::arg("table"), py::arg("options"), py::arg("run"),
             py::arg("original") = static_cast<const Model*>(nullptr),
             py::arg("held_out") = static_cast<const Table*>(nullptr));
  module.def("prune", &prune_model, py::arg("model"), py::arg("table"), py::arg("options"), py::arg("run"));
  module.def("export_file", &export_to, py::arg("model"), py::arg("path"), py::arg("options"), py::arg("decision"));
  module.def("explain", &explain_model, py::arg("model"), py::arg("table"), py::arg("options"), py::arg("run"));
  module.def("explain_rows", &explain_table, py::arg("model"), py::arg("rows"), py::arg("background"),
             py::arg("options"), py::arg("run"));
  module.def("activations", &activations, py::arg("model"));
  module.def("leverage", &leverage_of, py::arg("table"), py::arg("family"), py::arg("encode"), py::arg("lambdas"),
             py::arg("run"));
}

}  // namespace weft::python
