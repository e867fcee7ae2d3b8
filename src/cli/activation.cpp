#include <weft/explain.hpp>
#include <weft/report.hpp>
#include <weft/version.hpp>
#include <weft/write.hpp>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/output_files.hpp"
#include "cli/session.hpp"

#include <fmt/format.h>

namespace weft::cli {

namespace {

struct ActivationOptions {
  Index points = 201;
  std::string out = "";
  std::string report = "";

  static auto fields() {
    using O = ActivationOptions;
    return std::tuple{
        Field{"points", &O::points, Allowed::at_least(2), "number of points at which the activation is evaluated"},
        Field{"out", &O::out, Allowed::anything(),
              "file to write (.csv, .tsv or .npy): z, the activation and every weighted basis function"},
        Field{"report", &O::report, Allowed::anything(), "write an HTML report with charts of them (one file)"},
    };
  }
};

struct ActivationArguments {
  std::string model;
  bool json = false;
  ActivationOptions options;
};

void write_table(const ActivationCurve& curve, const std::string& path) {
  std::vector<std::string> columns = {"z", "activation"};
  for (Index i = 0; i < curve.terms.rows(); ++i) columns.push_back(fmt::format("basis{}", i + 1));
  TableWriter table(path, columns);
  const auto points = static_cast<Index>(curve.z.size());
  Matrix rows(points, curve.terms.rows() + 2);
  for (Index k = 0; k < points; ++k) {
    rows(k, 0) = curve.z[static_cast<std::size_t>(k)];
    rows(k, 1) = curve.value[static_cast<std::size_t>(k)];
    for (Index i = 0; i < curve.terms.rows(); ++i) rows(k, i + 2) = curve.terms(i, k);
  }
  table.append(rows);
  table.commit();
}

ChartSeries series_of(const std::string& name, const std::vector<double>& z, const double* values) {
  ChartSeries series{.name = name};
  for (std::size_t k = 0; k < z.size(); ++k) series.points.push_back({z[k], values[k]});
  return series;
}

void write_page(const ActivationCurve& curve, const std::string& model, const std::string& path) {
  const ActivationBasis& basis = curve.basis;
  ReportChart sum{.title = "Activation h", .x_label = "z", .y_label = "h(z)"};
  sum.series.push_back(series_of("h", curve.z, curve.value.data()));
  ReportChart terms{.title = "Its basis functions", .x_label = "z", .y_label = "coefficient times basis function"};
  for (Index i = 0; i < curve.terms.rows(); ++i)
    terms.series.push_back(series_of(fmt::format("{}", i + 1), curve.z, curve.terms.row(i)));
  Report report{.title = "Learned activation"};
  report.sections.push_back({.heading = "Activation",
                             .paragraphs = {fmt::format("A sum of {} {} functions from {} to {}.", basis.count,
                                                        basis.name(), shown(basis.low()), shown(basis.high()))},
                             .charts = {std::move(sum), std::move(terms)}});
  report.facts = {{"model", model}, {"weft", version()}};
  write_file(path, report.to_html());
}

void print_curve(const ActivationCurve& curve) {
  const ActivationBasis& basis = curve.basis;
  print_out("{} {} functions on [{}, {}], {}\n\n", basis.count, basis.name(), shown(basis.low()), shown(basis.high()),
            basis.kind == ActivationBasis::Kind::rbf ? "width " + shown(basis.width)
                                                     : "degree " + std::to_string(basis.degree));
  TextTable table({"z", "activation"});
  constexpr std::size_t kShown = 20;
  const std::size_t last = curve.z.size() - 1;
  const std::size_t rows = std::min(last, kShown);
  for (std::size_t k = 0; k <= rows; ++k)
    table.add({shown(curve.z[k * last / rows]), shown(curve.value[k * last / rows])});
  print_out("{}", table.text());
}

void run_activation(const ActivationArguments& arguments) {
  check_options(arguments.options);
  const auto& [points, out, page] = arguments.options;
  if (out.ends_with(".svg") || out.ends_with(".html"))
    throw Error(ErrorKind::option, "tables are written as .csv, .tsv or .npy files", "--out",
                "use --report page.html for charts");
  check_output_files({{"--out", out, true}, {"--report", page}}, {{"the model", arguments.model}});
  const Model model = Model::load(arguments.model);
  const std::optional<ActivationCurve> curve = activation_curve(model, points);
  if (!curve)
    throw Error(ErrorKind::option, "the activation of this model was not learned", arguments.model,
                "train with --fit learned-activation");
  if (!out.empty()) write_table(*curve, out);
  if (!page.empty()) write_page(*curve, arguments.model, page);
  if (arguments.json)
    print_line(curve->to_json());
  else
    print_curve(*curve);
  if (!out.empty() && !arguments.json) print_out("\nactivation written to {}\n", out);
  if (!page.empty() && !arguments.json) print_out("\nreport written to {}\n", page);
}

}  // namespace

void add_activation(App& app) {
  auto* command = app.add_subcommand("activation", "Print or draw the learned activation of a model");
  command->footer("Example:\n  weft activation model.weft --report activation.html");
  auto arguments = std::make_shared<ActivationArguments>();
  command->add_option("model", arguments->model, "model file of --fit learned-activation")->required();
  command->add_flag("--json", arguments->json, "print JSON");
  add_fields(*command, arguments->options);
  command->callback([arguments] { run_activation(*arguments); });
}

}  // namespace weft::cli
