#include "fit.hpp"

#include "job.hpp"
#include "options.hpp"
#include "sealed.hpp"
#include "table.hpp"

#include <weft/incremental.hpp>
#include <weft/tune.hpp>

#include <pybind11/numpy.h>

#include <algorithm>

namespace py = pybind11;

namespace weft::python {

namespace {

Model fit_table(const Table& table, const py::dict& family, const py::dict& fit, const py::dict& encode,
                const py::dict& run_options) {
  const auto features = options_from<FamilyOptions>(family);
  const auto options = fit_options_from(fit);
  const auto encoding = options_from<EncodeOptions>(encode);
  const Data data = table.data();
  return run_job(options_from<RunOptions>(run_options), [&](const Run& run) {
    return weft::fit({data, features, options, encoding, run});
  });
}

py::list points(const std::vector<CurvePoint>& curve) {
  py::list all;
  for (const CurvePoint& point : curve)
    all.append(py::make_tuple(point.features, point.lambda, point.score, point.standard_error));
  return all;
}

py::dict trial_dict(const Trial& trial) {
  py::dict values;
  values["number"] = trial.number;
  values["family"] = dict_from(trial.family);
  values["lambda"] = trial.lambda;
  values["bandwidth"] = trial.bandwidth;
  values["rows"] = trial.rows;
  values["fold_scores"] = trial.fold_scores;
  values["score"] = trial.score;
  values["standard_error"] = trial.standard_error;
  values["seconds"] = trial.seconds;
  values["failure"] = trial.failure;
  values["path"] = points(trial.path);
  return values;
}

py::dict search_dict(const TuneResult& result) {
  py::list trials;
  for (const Trial& trial : result.trials) trials.append(trial_dict(trial));
  py::dict values;
  values["metric"] = name_of(result.metric);
  values["larger_is_better"] = result.larger_is_better;
  values["trials"] = trials;
  values["best"] = result.best;
  values["planned"] = result.planned;
  values["resumed"] = result.resumed;
  values["out_of_time"] = result.out_of_time;
  values["leave_one_out"] = result.leave_one_out;
  values["generalised"] = result.generalised;
  values["curve"] = points(result.curve);
  values["recommended"] = result.recommended;
  values["seconds"] = result.seconds;
  values["notes"] = result.notes;
  return values;
}

/// What weft train --auto does: searches, then fits the winner to all rows.
py::tuple search_table(const Table& table, const py::dict& family, const py::dict& fit, const py::dict& encode,
                       const py::dict& tune_options, const py::dict& run_options) {
  const auto features = options_from<FamilyOptions>(family);
  const auto options = fit_options_from(fit);
  const auto encoding = options_from<EncodeOptions>(encode);
  const auto search = options_from<TuneOptions>(tune_options);
  const Data data = table.data();
  auto found = run_job(options_from<RunOptions>(run_options), [&](const Run& run) {
    const TuneRequest request{data, features, options, encoding, search, run};
    TuneResult result = tune(request);
    return std::pair(fit_winner(request, result), std::move(result));
  });
  return py::make_tuple(std::move(found.first), search_dict(found.second));
}

/// `inputs` say how columns are encoded, `targets` which classes there are.
IncrementalFit start_batches(const Table& inputs, const Table& targets, const py::dict& family, const py::dict& fit,
                             const py::dict& encode, const py::dict& run_options) {
  const auto features = options_from<FamilyOptions>(family);
  const auto options = fit_options_from(fit);
  const auto encoding = options_from<EncodeOptions>(encode);
  const Data data = inputs.data();
  const Data classes = targets.data();
  return run_job(options_from<RunOptions>(run_options), [&](const Run& run) {
    const Encoder encoder = Encoder::fit_inputs(data, encoding, run).with_target_of(classes, run);
    return IncrementalFit(encoder, features, options, run);
  });
}

/// An encoder and the map drawn for it. The draw follows from the options, which is why they are all that is kept.
struct Features {
  Encoder encoder;
  FamilyOptions family;
  FeatureMap map;

  Features(const Encoder& fitted, const FamilyOptions& options)
      : encoder(fitted),
        family(resolve_family(options, fitted.inputs().variables())),
        map(FeatureMap::draw(family, fitted.inputs())) {}
};

Features draw_features(const Table& table, const py::dict& family, const py::dict& encode,
                       const py::dict& run_options) {
  const auto features = options_from<FamilyOptions>(family);
  const auto encoding = options_from<EncodeOptions>(encode);
  const Data data = table.data();
  return run_job(options_from<RunOptions>(run_options),
                 [&](const Run& run) { return Features(Encoder::fit_inputs(data, encoding, run), features); });
}

py::array_t<double> transform(const Features& features, const Table& table, double factor,
                              const py::dict& run_options) {
  // Many pieces of work for row_values, but encoded rows of no more than 32 MB.
  constexpr Index kNumbers = Index{1} << 22, kFewestRows = 2048;
  const Index count = features.map.features();
  const Index block_rows =
      std::max(kFewestRows, std::min(kNumbers / count, kNumbers / features.map.inputs().columns()));
  py::array_t<double> result(std::vector<py::ssize_t>{table.rows(), count});
  double* memory = result.mutable_data();
  const Data data = table.data();
  run_job(options_from<RunOptions>(run_options), [&](const Run& run) {
    const auto reader = features.encoder.open(data, false, run);
    for (Block block; reader->next(block, block_rows);) {
      run.check_cancelled();
      features.map.row_values(block.x, {memory + block.first_row * count, block.rows(), count}, factor, run);
    }
  });
  return result;
}

}  // namespace

void bind_fit(py::module_& module) {
  module.def("fit", &fit_table, py::arg("table"), py::arg("family"), py::arg("fit"), py::arg("encode"), py::arg("run"));
  module.def("search", &search_table, py::arg("table"), py::arg("family"), py::arg("fit"), py::arg("encode"),
             py::arg("tune"), py::arg("run"));
  sealed_class<IncrementalFit>(module, "IncrementalFit", "A fit whose rows come in batches.")
      .def_static("start", &start_batches, py::arg("inputs"), py::arg("targets"), py::arg("family"), py::arg("fit"),
                  py::arg("encode"), py::arg("run"))
      .def(
          "add",
          [](IncrementalFit& fit, const Table& table, const py::dict& run_options) {
            const Data data = table.data();
            run_job(options_from<RunOptions>(run_options), [&](const Run& run) { fit.add(data, run); });
          },
          py::arg("table"), py::arg("run"))
      .def(
          "model",
          [](const IncrementalFit& fit, const py::dict& run_options) {
            return run_job(options_from<RunOptions>(run_options), [&](const Run& run) { return fit.model(run); });
          },
          py::arg("run"))
      .def_property_readonly("rows", &IncrementalFit::rows);
  sealed_class<Features>(module, "Features", "Features of rows, without a fit.")
      .def_static("draw", &draw_features, py::arg("table"), py::arg("family"), py::arg("encode"), py::arg("run"))
      .def("transform", &transform, py::arg("table"), py::arg("factor"), py::arg("run"))
      .def_property_readonly("count", [](const Features& features) { return features.map.features(); })
      .def("to_state",
           [](const Features& features) -> py::tuple {
             return py::make_tuple(features.encoder.to_json(), dict_from(features.family));
           })
      .def_static(
          "from_state",
          [](const std::string& encoder, const py::dict& family) {
            return Features(Encoder::from_json(encoder), options_from<FamilyOptions>(family));
          },
          py::arg("encoder"), py::arg("family"));
}

}  // namespace weft::python
