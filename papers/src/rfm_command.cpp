#include <weft/error.hpp>
#include <weft/write.hpp>

#include "cli/options.hpp"
#include "cli/output_files.hpp"
#include "cli/session.hpp"
#include "commands.hpp"
#include "dense.hpp"
#include "rfm.hpp"

#include <algorithm>
#include <iterator>
#include <memory>

#include <fmt/format.h>

namespace weft::papers {

namespace {

struct RfmArguments {
  std::string data;
  std::string out;
  bool json = false;
  RfmOptions study;
  ReadOptions read;
  EncodeOptions encode;
  RunOptions run;
};

Data read_table(const std::string& path, const ReadOptions& options) {
  Data data = read(path, options);
  if (data.options().target.empty())
    throw Error(ErrorKind::option, "no target column given", "--target", "name the column to predict");
  return data;
}

void print_study(const RfmStudy& study) {
  fmt::print("{}{}, {} rows to fit, {} to compare on, lambda {:.4g}\n", name_of(study.kernel),
             study.bandwidth ? fmt::format(" of bandwidth {:.4g}", *study.bandwidth) : "", study.rows, study.test_rows,
             study.lambda);
  fmt::print("effective dimension {:.1f}, mse of exact kernel ridge regression {}\n", study.effective_dimension,
             cli::shown(study.exact_mse));
  fmt::print("squared norm of the exact machine {:.4g}, of any target of this size at most {:.4g} (Remark 1)\n\n",
             study.norm, study.largest_norm);
  cli::TextTable table(
      {"features", "mse to exact", "± s.e.", "1/s line", "Theorem 1", "bound / mse", "without 4b", "proven"});
  for (const RfmPoint& point : study.points)
    table.add({std::to_string(point.features), fmt::format("{:.3e}", point.mse),
               fmt::format("{:.1e}", point.standard_error), fmt::format("{:.3e}", point.rate_line),
               fmt::format("{:.3e}", point.bound), fmt::format("{:.1f}", point.ratio()),
               fmt::format("{:.2f}", point.plain_ratio()),
               point.proven ? "yes" : fmt::format("lambda < {:.3g}", point.demanded_lambda)});
  fmt::print("{}", table.text());
  if (study.points.front().lower) {
    cli::TextTable lower({"features", "mse to exact on the rows of the fit", "at least, Theorem 2"});
    for (const RfmPoint& point : study.points)
      lower.add(
          {std::to_string(point.features), fmt::format("{:.3e}", *point.own_mse), fmt::format("{:.3e}", *point.lower)});
    fmt::print("\n{}", lower.text());
  }
  if (study.out_of_time) fmt::print("\nnote: time limit reached; larger numbers of features were not tried\n");
  if (study.slope) fmt::print("\nslope of log mse against log s: {:.3f} (Theorem 1: -1)\n", *study.slope);
}

void write_csv(const RfmStudy& study, const std::string& path) {
  TableWriter writer(
      path, {"features", "mse", "standard_error", "rate_line", "bound", "ratio", "demanded_lambda", "plain_bound"});
  Matrix rows(static_cast<Index>(study.points.size()), 8);
  for (Index i = 0; i < rows.rows(); ++i) {
    const RfmPoint& point = study.points[static_cast<std::size_t>(i)];
    const double cells[] = {static_cast<double>(point.features),
                            point.mse,
                            point.standard_error,
                            point.rate_line,
                            point.bound,
                            point.ratio(),
                            point.demanded_lambda,
                            point.plain_bound};
    std::copy(std::begin(cells), std::end(cells), rows.row(i));
  }
  writer.append(rows);
  writer.commit();
}

void run_rfm(const RfmArguments& arguments) {
  cli::check_output_files({{"--out", arguments.out, true}}, {{"the table", arguments.data}});
  cli::Session session(arguments.run, arguments.json);
  const BlasThreads blas_threads(session.run().thread_count());
  const Data data = read_table(arguments.data, arguments.read);
  const RfmStudy study = rfm_study(data, arguments.study, arguments.encode, session.run());
  session.finish_progress();
  if (!arguments.out.empty()) write_csv(study, arguments.out);
  if (arguments.json)
    fmt::print("{}\n", study.to_json());
  else
    print_study(study);
}

}  // namespace

void add_rfm(cli::App& app) {
  auto* command =
      app.add_subcommand("rfm", "Compare random features with the exact kernel: rate and bound of Wang 2019");
  command->footer(
      "Inputs are scaled to [-1, 1] without a bias column, the target to mean 0 and largest size 1, as in the paper.\n"
      "Example:\n  weft-papers rfm houses.csv --target price --kernel laplace --rows 5000 --out rate.csv");
  auto arguments = std::make_shared<RfmArguments>();
  arguments->encode.scale = Scaling::minmax;
  arguments->encode.bias = false;
  cli::add_data(*command, arguments->data);
  command->add_option("--out", arguments->out, "file for the points (.csv, .tsv or .npy)");
  command->add_flag("--json", arguments->json, "print JSON");
  cli::add_fields(*command, arguments->study, "Study");
  cli::add_fields(*command, arguments->read, "Reading");
  cli::add_fields(*command, arguments->encode, "Encoding", {"scale", "missing", "unseen", "task"});
  cli::add_fields(*command, arguments->run, "Run");
  command->callback([arguments] { run_rfm(*arguments); });
}

}  // namespace weft::papers
