#include <weft/explain.hpp>
#include <weft/write.hpp>

#include "cli/activation_drawing.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/session.hpp"

#include <fmt/format.h>

namespace weft::cli {

namespace {

struct ActivationOptions {
  Index points = 201;
  std::string out = "";

  static auto fields() {
    using O = ActivationOptions;
    return std::tuple{
        Field{"points", &O::points, Allowed::at_least(2), "points at which the activation is given"},
        Field{"out", &O::out, Allowed::anything(),
              "file to write: .csv has z, the activation and every weighted basis function, .svg and .html draw them"},
    };
  }
};

struct Arguments {
  std::string model;
  bool json = false;
  ActivationOptions options;
};

void print_curve(const ActivationCurve& curve) {
  const ActivationBasis& basis = curve.basis;
  fmt::print("{} {} functions on [{}, {}], {}\n\n", basis.count, basis.name(), shown(basis.low()), shown(basis.high()),
             basis.kind == ActivationBasis::Kind::rbf ? "width " + shown(basis.width)
                                                      : "degree " + std::to_string(basis.degree));
  TextTable table({"z", "activation"});
  constexpr std::size_t kShown = 20;
  const std::size_t last = curve.z.size() - 1;
  const std::size_t rows = std::min(last, kShown);
  for (std::size_t k = 0; k <= rows; ++k)
    table.add({shown(curve.z[k * last / rows]), shown(curve.value[k * last / rows])});
  fmt::print("{}", table.text());
}

void run_activation(const Arguments& arguments) {
  check_options(arguments.options);
  const std::string& out = arguments.options.out;
  if (!out.empty()) check_writable(out);
  const Model model = Model::load(arguments.model);
  const std::optional<ActivationCurve> curve = activation_curve(model, arguments.options.points);
  if (!curve)
    throw Error(ErrorKind::option, "the activation of this model was not learned", arguments.model,
                "train with --fit learned-activation");
  if (!out.empty()) write_activation(*curve, out);
  if (arguments.json)
    fmt::print("{}\n", curve->to_json());
  else
    print_curve(*curve);
  if (!out.empty() && !arguments.json) fmt::print("\nactivation written to {}\n", out);
}

}  // namespace

void add_activation(App& app) {
  auto* command = app.add_subcommand("activation", "Print or draw the activation that a model has learned");
  command->footer("Example:\n  weft activation model.weft --out activation.svg");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("model", arguments->model, "model file of --fit learned-activation")->required();
  command->add_flag("--json", arguments->json, "print JSON");
  add_fields(*command, arguments->options);
  command->callback([arguments] { run_activation(*arguments); });
}

}  // namespace weft::cli
