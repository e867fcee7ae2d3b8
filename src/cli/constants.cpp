#include <weft/feature_map.hpp>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/options.hpp"
#include "cli/session.hpp"

namespace weft::cli {

namespace {

struct ConstantsArguments {
  Index dim = 0;
  std::optional<double> max_norm;
  FamilyOptions family{.family = "rw-relu"};  // auto is for training
  bool json = false;
};

void run_constants(const ConstantsArguments& arguments) {
  check_value("dim", arguments.dim, Allowed::at_least(1));
  check_value("max_norm", arguments.max_norm, Allowed::positive());
  const FamilyOptions options = resolve_family(arguments.family, arguments.dim);
  const FeatureMap map = FeatureMap::without_centres(options, Inputs::plain(arguments.dim));
  const Constants constants = map.constants(arguments.max_norm);
  // The table includes kappa: where it is infinite, the note names a gamma that works.
  if (!constants.kappa) throw Error(ErrorKind::option, constants.note);
  if (arguments.json) {
    Json result = {{"family", *options.family}, {"dim", arguments.dim}, {"sigma", *options.sigma}};
    for (const FeaturePart& part : map.parts())
      if (!part.family.kernel.none()) result["gamma"].push_back(part.gamma);
    if (result.contains("gamma") && result["gamma"].size() == 1) result["gamma"] = result["gamma"][0];
    result.update(Json::parse(constants.to_json()));
    print_line(result.dump(2));
    return;
  }
  TextTable table({"constant", "value", ""});
  for (const FeaturePart& part : map.parts())
    if (!part.family.kernel.none()) table.add({"gamma", cli::shown(part.gamma), part.family.name()});
  table.add({"theta", shown(constants.theta), "exact"});
  table.add({"theta", shown(constants.theta_bound), "the papers' bound"});
  table.add({"kappa", shown(constants.kappa), ""});
  table.add({"tau", shown(constants.tau), ""});
  print_out("{}", table.text());
  if (!constants.note.empty()) print_line(constants.note);
}

}  // namespace

void add_constants(App& app) {
  auto* command =
      app.add_subcommand("constants", "Print theta (exact and the papers' bound), kappa and tau of a family");
  command->footer("Example:\n  weft constants --family rw-sign --dim 10 --sigma 1 --gamma 2 --json");
  auto arguments = std::make_shared<ConstantsArguments>();
  command->add_option("--dim", arguments->dim, "number of input columns, the bias included")->required();
  command->add_option("--max-norm", arguments->max_norm,
                      "largest ||x|| (stumps: |x_j|); by default 1 where features grow with x, no limit elsewhere");
  command->add_flag("--json", arguments->json, "print JSON");
  add_fields(*command, arguments->family, "Family");
  command->callback([arguments] { run_constants(*arguments); });
}

}  // namespace weft::cli
