// `weft demo`: the main job, fitting and testing models, on a built-in data set. No file is needed and none is left.
#include <weft/fit.hpp>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/session.hpp"

#include <chrono>

namespace weft::cli {

namespace {

struct DemoArguments {
  Index rows = 4000;
  Index features = 500;
  std::uint64_t seed = 1;
  RunOptions run;
};

// Random features: the papers' five weightings, sparse projections, and plain random features for comparison.
// sigma matters for activations that are not homogeneous: for cos, one over the root of the inputs and the bias.
struct Row {
  const char* family;
  double sigma = 1;
};
constexpr Row kFamilies[] = {{"rw-stumps"},   {"rw-sign"},          {"rw-relu"},  {"rw-exp-sign"},
                             {"rw-exp-relu"}, {"rw-relu/sparse:3"}, {"rks-relu"}, {"rks-cos", 0.3}};

/// What weft train fits without options, then random features.
std::vector<std::pair<std::string, FitRequest>> demo_requests(const DemoArguments& arguments, const Data& train,
                                                              const Run& run) {
  FamilyOptions seeded;
  seeded.seed = arguments.seed;
  std::vector<std::pair<std::string, FitRequest>> requests = {{"default (portfolio)",
                                                               {.train = train,
                                                                .family = seeded,
                                                                .fit = {.method = PortfolioOptions{}},
                                                                .encode = {.scale = Scaling::both},
                                                                .run = run}}};
  for (const auto& [name, sigma] : kFamilies) {
    FamilyOptions family = seeded;
    family.family = name;
    family.features = arguments.features;
    family.sigma = sigma;
    requests.push_back({name, {.train = train, .family = family, .run = run}});
  }
  return requests;
}

void run_demo(const DemoArguments& arguments) {
  check_value("rows", arguments.rows, Allowed::at_least(100));
  check_value("features", arguments.features, Allowed::at_least(1));
  Session session(arguments.run);
  // The last quarter of the rows is for testing; they are drawn independently, so any quarter is equally good.
  const Index train_rows = arguments.rows - arguments.rows / 4;
  const Data all = generate("friedman1", {.rows = arguments.rows, .seed = arguments.seed, .noise = 1});
  const Data train = select_rows(all, [=](Index row) { return row < train_rows; });
  const Data test = select_rows(all, [=](Index row) { return row >= train_rows; });
  print_out(
      "friedman1: {} training rows, {} test rows, 10 inputs of which 5 are relevant; the noise has variance 1\n\n",
      train_rows, arguments.rows - train_rows);

  TextTable table({"model", "train mse", "test mse", "test R2", "norm in H", "seconds"});
  for (const auto& [name, request] : demo_requests(arguments, train, session.run())) {
    const auto start = std::chrono::steady_clock::now();
    const Model model = fit(request);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    const Evaluation on_train = evaluate(model, train, session.run());
    const Evaluation on_test = evaluate(model, test, session.run());
    table.add({name, fmt::format("{:.3f}", *on_train.mse), fmt::format("{:.3f}", *on_test.mse),
               fmt::format("{:.4f}", *on_test.r2), model.parts().members.empty() ? shown(model.rkhs_norm(0)) : "–",
               fmt::format("{:.2f}", seconds.count())});
  }
  session.finish_progress();
  print_out(
      "{}\nThe default averages learned kernels; the others are families of {} random features, every lambda chosen on "
      "held-out\nrows in the same pass. For your own data:\n"
      "  weft train data.csv --target y --model m.weft --holdout 0.25\n",
      table.text(), arguments.features);
}

}  // namespace

void add_demo(App& app) {
  auto* command =
      app.add_subcommand("demo", "Fit and test the default and every kind of random features on a built-in data set");
  command->footer("Example:\n  weft demo --rows 4000 --features 500");
  auto arguments = std::make_shared<DemoArguments>();
  command->add_option("--rows", arguments->rows, "rows of the data set [4000]");
  command->add_option("--features", arguments->features, "random features per family [500]");
  command->add_option("--seed", arguments->seed, "seed of data and features [1]");
  add_fields(*command, arguments->run, "Run");
  command->callback([arguments] { run_demo(*arguments); });
}

}  // namespace weft::cli
