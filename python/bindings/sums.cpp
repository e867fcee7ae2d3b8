#include "sums.hpp"

#include "job.hpp"
#include "options.hpp"
#include "sealed.hpp"
#include "table.hpp"

#include <weft/sums.hpp>

#include <pybind11/stl.h>

#include <optional>

namespace py = pybind11;

namespace weft::python {

namespace {

PartStatistics gather(const Table& table, const py::dict& encode, const py::dict& run_options, Index first_row) {
  const auto encoding = options_from<EncodeOptions>(encode);
  const Data data = table.data();
  return run_job(options_from<RunOptions>(run_options),
                 [&](const Run& run) { return PartStatistics::of(data, encoding, run, first_row); });
}

EncoderStatistics gather_inputs(const Table& table, const py::dict& encode, const py::dict& run_options,
                                Index first_row) {
  const auto encoding = options_from<EncodeOptions>(encode);
  const Data data = table.data();
  return run_job(options_from<RunOptions>(run_options),
                 [&](const Run& run) { return EncoderStatistics::of_inputs(data, encoding, run, first_row); });
}

/// Of the categories of a part; none where no column has many.
std::optional<LevelStatistics> gather_levels(const PartStatistics& all, const Table& table, const py::dict& run_options,
                                             Index first_row) {
  const Data data = table.data();
  return run_job(options_from<RunOptions>(run_options), [&](const Run& run) -> std::optional<LevelStatistics> {
    Run quiet = run;
    quiet.on_warning = {};  // about the table as a whole, once per part
    const Encoder encoder = Encoder::fit(all.columns(), quiet);
    if (encoder.many_levels().empty()) return std::nullopt;
    return LevelStatistics::of(encoder, data, run, first_row);
  });
}

bool has_many_levels(const PartStatistics& all) {
  return !Encoder::fit(all.columns()).many_levels().empty();
}

PlanRequest request_of(const PartStatistics& all, const py::dict& family, const py::dict& fit) {
  return {.statistics = {all}, .family = options_from<FamilyOptions>(family), .fit = fit_options_from(fit)};
}

std::vector<Index> drawn_rows(const PartStatistics& all, const py::dict& family, const py::dict& fit) {
  return rows_to_draw(request_of(all, family, fit));
}

Plan make_plan(const PartStatistics& all, const py::dict& family, const py::dict& fit, const py::dict& run_options,
               const std::optional<LevelStatistics>& levels, const std::optional<Table>& drawn,
               const std::vector<Index>& numbers) {
  PlanRequest request = request_of(all, family, fit);
  request.levels = levels;
  if (drawn) request.drawn = DrawnRows{drawn->data(), numbers};
  return run_job(options_from<RunOptions>(run_options), [&](const Run& run) {
    request.run = run;
    return Plan::of(request);
  });
}

Sums sum_table(const Plan& plan, const Table& table, Index first_row, const py::dict& run_options) {
  const Data data = table.data();
  return run_job(options_from<RunOptions>(run_options),
                 [&](const Run& run) { return Sums::of(plan, data, run, first_row); });
}

Model solve_sums(const Sums& sums, const py::dict& run_options) {
  return run_job(options_from<RunOptions>(run_options), [&](const Run& run) { return solve(sums, {}, run); });
}

/// What travels between machines, as bytes.
template <class T>
py::class_<T> travelling_class(py::module_& module, const char* name, const char* help) {
  return sealed_class<T>(module, name, help)
      .def("to_bytes", [](const T& value) { return py::bytes(value.to_bytes()); })
      .def_static(
          "from_bytes", [](const py::bytes& bytes) { return T::from_bytes(bytes); }, py::arg("bytes"));
}

/// One of the classes above whose values add up: the result is another value.
template <class T>
T merged_with(T all, const T& next) {
  all.merge(next);
  return all;
}

}  // namespace

void bind_sums(py::module_& module) {
  travelling_class<EncoderStatistics>(module, "InputStatistics", "Statistics of the inputs of some rows.")
      .def_static("of", &gather_inputs, py::arg("table"), py::arg("encode"), py::arg("run"), py::arg("first_row"))
      .def("merged", &merged_with<EncoderStatistics>, py::arg("next"))
      .def("encoder", [](const EncoderStatistics& all) { return Encoder::fit(all).to_json(); });
  travelling_class<LevelStatistics>(module, "LevelStatistics", "Statistics of the categories of some rows.")
      .def_static("of", &gather_levels, py::arg("all"), py::arg("table"), py::arg("run"), py::arg("first_row"))
      .def("merged", &merged_with<LevelStatistics>, py::arg("next"));
  travelling_class<PartStatistics>(module, "PartStatistics", "What a plan has to know of parts of a table.")
      .def_static("of", &gather, py::arg("table"), py::arg("encode"), py::arg("run"), py::arg("first_row"))
      .def("merged", &merged_with<PartStatistics>, py::arg("next"))
      .def_property_readonly("many_levels", &has_many_levels)
      .def("drawn_rows", &drawn_rows, py::arg("family"), py::arg("fit"));
  travelling_class<Plan>(module, "Plan", "Everything that a fit decides before it sums rows.")
      .def_static("of", &make_plan, py::arg("statistics"), py::arg("family"), py::arg("fit"), py::arg("run"),
                  py::arg("levels"), py::arg("drawn"), py::arg("numbers"));
  travelling_class<Sums>(module, "Sums", "Sums over some parts of a plan.")
      .def_static("of", &sum_table, py::arg("plan"), py::arg("table"), py::arg("first_row"), py::arg("run"))
      .def("merged", &merged_with<Sums>, py::arg("next"))
      .def("solve", &solve_sums, py::arg("run"));
}

}  // namespace weft::python
