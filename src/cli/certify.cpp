#include <weft/certify.hpp>

#include "cli/cell_rules.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/session.hpp"

namespace weft::cli {

namespace {

struct CertifyArguments {
  std::string model;
  std::string data;
  std::string original;
  std::string held_out;
  bool json = false;
  CertifyOptions certify;
  ReadOptions read;
  RunOptions run;
};

/// "0.3" for one output, "0.2 … 0.7" for several.
std::string shown_range(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *low == *high ? shown(*low) : shown(*low) + " … " + shown(*high);
}

/// The line with the complexity of the class whose radius is fixed and whose constant is `theta`.
const BoundLine* complexity_line(const Certificate& result, const std::string& theta) {
  for (const BoundLine& line : result.lines)
    if (line.complexity && line.radius == "fixed" && line.theta == theta) return &line;
  return nullptr;
}

std::string facts_table(const Certificate& result) {
  TextTable table({"", "value"});
  table.add({"rows", std::to_string(result.rows)});
  table.add(
      {result.loss + (result.rkhs_norms.empty() ? " on the rows" : " loss on the rows"), shown(result.train_loss)});
  table.add({"loss of the best constant", shown(result.trivial_loss)});
  if (result.rkhs_norms.empty()) return table.text();
  table.add({"theta, exact", shown(result.constants.theta)});
  table.add({"theta, the papers' bound", shown(result.constants.theta_bound)});
  if (result.constants.theta_mean) table.add({"theta, mean over the rows", shown(*result.constants.theta_mean)});
  table.add({"tau", shown(result.constants.tau)});
  if (result.constants.tau_mean) table.add({"tau, mean over the rows", shown(*result.constants.tau_mean)});
  table.add({"RKHS norm", shown_range(result.rkhs_norms)});
  for (const auto& [theta, theorem] : {std::pair{"exact", "6.1"}, std::pair{"tau", "6.4"}})
    if (const BoundLine* line = complexity_line(result, theta))
      table.add({fmt::format("Rademacher complexity (Theorem {})", theorem), shown(*line->complexity)});
  if (result.l2p_norms) table.add({"L2(p) norm", shown_range(*result.l2p_norms)});
  if (result.distances) table.add({"RKHS distance to the original", shown_range(*result.distances)});
  return table.text();
}

/// How many rows would make the line informative, all else as it is.
std::string rows_asked(const BoundLine& line) {
  if (!line.vacuous) return "";
  return line.rows_needed ? fmt::format("{:.2g}", *line.rows_needed) : "none suffices";
}

/// How many random features stand for a kernel machine.
std::string approximation_text(const Certificate& result) {
  std::string text;
  for (const BoundLine& line : result.lines) {
    if (line.inapplicable || line.claim != "approximation") continue;
    const bool upper = line.name.ends_with("1");
    text += fmt::format("{}: {} {:.3g} random features predict within a mean square of {} of this model{}.\n",
                        line.name, upper ? "from" : "not fewer than", *line.features_needed, shown(line.bound),
                        upper          ? " on"
                        : line.vacuous ? "; this says nothing here"
                                       : "");
    if (upper && line.rows_needed)
      text +=
          fmt::format("This lambda is too small for it: it would be proven from {:.3g} rows on.\n", *line.rows_needed);
  }
  return text;
}

/// What the theorems say of the number of features and of lambda.
std::string asked_text(const Certificate& result) {
  std::string text;
  for (const BoundLine& line : result.lines) {
    if (line.inapplicable || line.theta != "exact") continue;
    if (line.claim == "pruning") {
      text += fmt::format(
          "{}: pruning by the lasso with a weight of at most {} changes the expected loss by at most {} "
          "(--difference).\n",
          line.name, shown(*line.best_lambda), shown(line.bound));
      continue;
    }
    if (line.features_needed)
      text += fmt::format("{} asks for {:.3g} features: from there on they cost no more than the rows do.\n", line.name,
                          *line.features_needed);
    if (line.best_lambda) text += fmt::format("{} asks for lambda = {}.\n", line.name, shown(*line.best_lambda));
  }
  return text + approximation_text(result);
}

std::string bounds_table(const Certificate& result) {
  TextTable table(
      {"theorem", "bounds", "radius", "theta", "gap", "at least", "bound", "of constant", "informative", "rows asked"});
  for (const BoundLine& line : result.lines) {
    if (line.inapplicable || line.claim == "pruning" || line.claim == "approximation") continue;
    table.add({line.name, line.claim, line.radius, line.theta, shown(line.gap),
               line.lower ? shown(std::max(0.0, *line.lower)) : "", shown(line.bound),
               result.trivial_loss > 0 ? fmt::format("{:.3g}", line.bound / result.trivial_loss) : "–",
               line.vacuous ? "no" : "yes", rows_asked(line)});
  }
  return table.text();
}

/// Each reason once per theorem, not once per version of it.
std::string reasons(const Certificate& result) {
  std::string text;
  for (const BoundLine& line : result.lines) {
    if (!line.inapplicable) continue;
    const std::string reason =
        fmt::format("{} does not apply: {}.\n", line.name, in_command_line_words(*line.inapplicable));
    if (text.find(reason) == std::string::npos) text += reason;
  }
  return text;
}

std::string held_out_text(const Certificate& result) {
  if (!result.held_out)
    return "Without held-out rows there is no plain bound: give --held-out FILE, labelled rows that the model was not "
           "fitted to.\n";
  const HeldOutBound& plain = *result.held_out;
  std::string text = fmt::format(
      "On {} rows that were predicted without them ({}) the {} is {}. With probability at least {:.6g} % it is at most "
      "{} on new rows ({}); the best constant has {}{}.\n",
      plain.rows, name_of(plain.by), plain.loss, shown(plain.measured), 100 * (1 - result.delta), shown(plain.bound),
      plain.name, shown(plain.constant), plain.vacuous ? ", so this bound is vacuous" : "");
  return text + fmt::format("This assumes: {}.\n", plain.assumes);
}

std::string conclusion(const Certificate& result) {
  if (result.lines.empty()) return {};
  if (!result.best) return "None of these is a bound on the expected loss.\n";
  const BoundLine& line = result.lines[*result.best];
  std::string text = fmt::format(
      "With probability at least {:.6g} % over the draw of the {} rows, the expected {} loss on new rows is at most {} "
      "({}, theta: {}, radius: {}).\n",
      100 * (1 - result.delta), result.rows, result.loss, shown(line.bound), line.name, line.theta, line.radius);
  if (line.error && *line.error < 1)
    text += fmt::format("At most {:.4g} % of new rows are then misclassified.\n", 100 * *line.error);
  if (line.vacuous)
    text += fmt::format(
        "This bound is vacuous: the best constant prediction has loss {}; use more rows or a smaller norm.\n",
        shown(result.trivial_loss));
  return text + fmt::format("It assumes {}.\n", line.assumes);
}

void run_certify(const CertifyArguments& arguments) {
  Session session(arguments.run);
  const Model model = Model::load(arguments.model);
  std::optional<Model> original;
  if (!arguments.original.empty()) original = Model::load(arguments.original);
  std::optional<Data> held_out;
  if (!arguments.held_out.empty())
    held_out = CellRules::read_labelled(model, arguments.held_out, arguments.read, session.run());
  const Certificate result =
      certify(model, CellRules::read_labelled(model, arguments.data, arguments.read, session.run()), arguments.certify,
              session.run(), original ? &*original : nullptr, held_out ? &*held_out : nullptr);
  session.finish_progress();
  if (arguments.json) {
    print_line(result.to_json());
    return;
  }
  print_out("{}\n{}\n", held_out_text(result), facts_table(result));
  if (!result.lines.empty()) print_out("{}\n", bounds_table(result));
  if (const std::string text = asked_text(result); !text.empty()) print_out("{}\n", text);
  if (const std::string text = reasons(result); !text.empty()) print_out("{}\n", text);
  for (const std::string& note : result.notes) print_line("Note: " + note + ".");
  print_out("{}", conclusion(result));
}

}  // namespace

void add_certify(App& app) {
  auto* command =
      app.add_subcommand("certify", "Bound the loss of a model on new rows: by held-out rows, and by theorems");
  command->footer(
      "DATA are the rows the model was trained on. The plain bound comes first: that of --held-out rows or, without\n"
      "them, of rows that the fit predicted without them. Radius 'fixed' takes the model's norm as if it had been set\n"
      "in advance, as the papers do; 'learned' is valid for the norm that was learned. 'At least' bounds the expected\n"
      "loss from below. What theorems ask for, rows, features or lambda, stands beside and below the table.\n"
      "Example:\n  weft certify model.weft train.csv --delta 0.01 --json");
  auto arguments = std::make_shared<CertifyArguments>();
  command->add_option("model", arguments->model, "model file")->required();
  add_data(*command, arguments->data);
  command->add_option("--original", arguments->original, "model file that the model was pruned from, for Theorem 8");
  command->add_option("--held-out", arguments->held_out,
                      "table of labelled rows that the model was not fitted to, for the plain bound");
  command->add_flag("--json", arguments->json, "print JSON");
  add_fields(*command, arguments->certify);
  add_fields(*command, arguments->read, "Reading");
  add_fields(*command, arguments->run, "Run", {"threads"});
  command->callback([arguments] { run_certify(*arguments); });
}

}  // namespace weft::cli
