#include <weft/leverage.hpp>
#include <weft/write.hpp>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/output_files.hpp"
#include "cli/read_table.hpp"
#include "cli/session.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace weft::cli {

namespace {

struct LeverageArguments {
  std::string data;
  std::string out;
  std::vector<double> lambdas;
  bool json = false;
  ReadOptions read;
  EncodeOptions encode;
  FamilyOptions family{.sampling = default_value(Sampling::leverage), .candidates = default_value(1000)};
  RunOptions run;
};

void print_histogram(const LeverageScores& scores) {
  constexpr Index kWidth = 50;
  const LeverageScores::Histogram bins = scores.histogram();
  const Index most = *std::max_element(bins.counts.begin(), bins.counts.end());
  print_out("\nscores at lambda = {}\n", shown(scores.lambda));
  for (std::size_t k = 0; k < bins.counts.size(); ++k) {
    std::string bar;
    for (Index i = 0; i < (bins.counts[k] * kWidth + most - 1) / most; ++i) bar += "█";
    print_out("  {:>10} {:>7} {}\n", fmt::format("{:.4g}", bins.edge(k)), bins.counts[k], bar);
  }
}

/// The condition and the errors of Theorem 1 of Shahrampour & Kolouri 2019.
void print_asked(const Leverage& result) {
  TextTable table({"Shahrampour & Kolouri 2019, Theorem 1", "features asked", "rows asked", "Er(k)", "Er(g)"});
  for (const LeverageScores& scores : result.by_lambda)
    table.add({"lambda = " + shown(scores.lambda), fmt::format("{:.4g}", scores.elss_features),
               fmt::format("{:.4g}", scores.elss_rows), shown(scores.kernel_error),
               scores.score_error                                    ? shown(*scores.score_error)
               : static_cast<double>(result.rows) < scores.elss_rows ? "too few rows"
                                                                     : "G is singular"});
  print_out("{}", table.text());
}

void print_text(const Leverage& result) {
  print_out("{} candidates, {} rows\n\n", result.candidates.features(), result.rows);
  constexpr double kUniform = 1.05;  // five per cent make no practical difference
  TextTable table({"lambda", "effective dimension", "max/mean", "uniformity", "sampling by them", "features asked",
                   "plain ones asked"});
  for (const LeverageScores& scores : result.by_lambda)
    table.add({shown(scores.lambda), shown(scores.effective_dimension), shown(scores.max_over_mean),
               shown(scores.uniformity), scores.max_over_mean < kUniform ? "is plain" : "chooses",
               fmt::format("{:.4g}", scores.weighted_features), fmt::format("{:.4g}", scores.plain_features)});
  print_out("{}\n", table.text());
  print_asked(result);
  for (const LeverageScores& scores : result.by_lambda) print_histogram(scores);
}

void write_scores(const Leverage& result, const std::string& path) {
  std::vector<std::string> names;
  Matrix table(result.candidates.features(), static_cast<Index>(result.by_lambda.size()));
  for (std::size_t k = 0; k < result.by_lambda.size(); ++k) {
    names.push_back(fmt::format("lambda={:g}", result.by_lambda[k].lambda));
    for (Index t = 0; t < table.rows(); ++t)
      table(t, static_cast<Index>(k)) = result.by_lambda[k].scores[static_cast<std::size_t>(t)];
  }
  TableWriter writer(path, names);
  writer.append(table);
  writer.commit();
}

void run_leverage(LeverageArguments arguments) {
  check_value("candidates", arguments.family.candidates, Allowed::at_least(1));
  Session session(arguments.run, arguments.json);
  check_output_files({{"--out", arguments.out, true}}, {{"the table", arguments.data}});
  arguments.family.features = arguments.family.candidates;  // the shares of a union
  const Data data = read_table(arguments.data, arguments.read, session.run());
  const Leverage result = leverage(data, arguments.family, arguments.lambdas, arguments.encode, session.run());
  if (!arguments.out.empty()) write_scores(result, arguments.out);
  session.finish_progress();
  if (arguments.json)
    print_line(result.to_json());
  else
    print_text(result);
}

}  // namespace

void add_leverage(App& app) {
  auto* command = app.add_subcommand("leverage", "Compute leverage scores of random features");
  command->footer(
      "The scores by which --sampling leverage chooses; inputs are encoded as for training, the target is ignored.\n"
      "Several lambdas show where scores degenerate: where max/mean is near 1 they are uniform, and sampling by them "
      "is\n"
      "plain sampling. Features asked: for the pool's kernel, by Ma et al. 2025; with Er(k) and Er(g), errors of the\n"
      "pool and of the scores in units of the loss's slope, by Shahrampour & Kolouri 2019.\n"
      "Example:\n  weft leverage houses.csv --target price --family rff-rbf --sigma 0.1 --lambdas 1e-2,1e-4,1e-6");
  auto arguments = std::make_shared<LeverageArguments>();
  add_data(*command, arguments->data);
  command->add_option("--lambdas", arguments->lambdas, "lambdas of the scores, separated by commas; by default 1/rows")
      ->delimiter(',');
  command->add_option("--out", arguments->out,
                      "write the scores to this file (.csv, .tsv or .npy), one row per candidate");
  command->add_flag("--json", arguments->json, "print JSON");
  add_fields(*command, arguments->read, "Reading");
  add_fields(*command, arguments->encode, "Encoding", {"scale", "missing", "unseen", "bias"});
  add_fields(*command, arguments->family, "Family",
             {"family", "sigma", "gamma", "theta", "exact_theta", "kappa", "shrink", "phase", "pool", "candidates",
              "candidate_sampling", "sampling_rows", "seed"});
  add_fields(*command, arguments->run, "Run", {"threads", "max_memory"});
  command->callback([arguments] { run_leverage(*arguments); });
}

}  // namespace weft::cli
