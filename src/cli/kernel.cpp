#include <weft/write.hpp>

#include "cli/commands.hpp"
#include "cli/feature_input.hpp"
#include "cli/options.hpp"
#include "cli/output_files.hpp"
#include "cli/read_table.hpp"
#include "cli/session.hpp"

#include <optional>

namespace weft::cli {

namespace {

struct KernelArguments {
  std::string left;
  std::string right;
  std::string out = "-";
  ReadOptions read;
  EncodeOptions encode = raw_inputs();
  FamilyOptions family{.family = "rw-relu"};  // auto is for training
  std::string kernel;
  std::optional<double> bandwidth;
  std::optional<double> exponent;
  RunOptions run;
};

/// --kernel, or the limit of --family.
Kernel chosen_kernel(const KernelArguments& arguments, const Inputs& inputs) {
  if (arguments.kernel.empty()) return Kernel::implicit(FeatureMap::without_centres(arguments.family, inputs));
  const Kernel::Kind kind = Kernel::parse_kind(arguments.kernel);
  const bool has_bandwidth = Kernel::has_bandwidth(kind);
  if (has_bandwidth != arguments.bandwidth.has_value())
    throw Error(ErrorKind::option, has_bandwidth ? "this kernel needs a bandwidth" : "this kernel has no bandwidth",
                "--bandwidth", has_bandwidth ? "give a positive number" : "leave it out");
  return Kernel::make(arguments.kernel, arguments.bandwidth, arguments.family, inputs, nullptr, arguments.exponent);
}

void run_kernel(const KernelArguments& arguments) {
  check_output_files({{"--out", arguments.out, true}},
                     {{"the first table", arguments.left}, {"the second table", arguments.right}});
  Session session(arguments.run, arguments.out == "-");
  const Data left = read_table(arguments.left, arguments.read, session.run());
  const Encoder encoder = Encoder::fit_inputs(left, arguments.encode, session.run());
  const Matrix a = load_inputs(encoder, left, session.run());
  const Matrix b = load_inputs(encoder, read_table(arguments.right, arguments.read, session.run()), session.run());
  const Kernel kernel = chosen_kernel(arguments, encoder.inputs());

  std::vector<std::string> names;
  for (Index j = 0; j < b.cols(); ++j) names.push_back("k" + std::to_string(j));
  std::optional<TableWriter> writer;  // opened with the first rows: an error leaves standard output empty
  constexpr Index kBlockRows = 512;
  for (Index first = 0; first < a.cols(); first += kBlockRows) {
    session.run().check_cancelled();
    const Index rows = std::min(kBlockRows, a.cols() - first);
    Matrix block(rows, b.cols());
    kernel.values(a.view().col_range(first, rows), b, block, session.run());
    if (!writer) writer.emplace(arguments.out, names);
    writer->append(block);
    session.run().report("kernel", static_cast<double>(first + rows), static_cast<double>(a.cols()));
  }
  writer->commit();
}

}  // namespace

void add_kernel(App& app) {
  auto* command =
      app.add_subcommand("kernel", "Write the implicit kernel K_X, or another, between the rows of two tables");
  command->footer(
      "K_X is the limit of a family with infinitely many features; raw inputs as in 'weft features'.\n"
      "Example:\n  weft kernel a.csv b.csv --family rw-sign --sigma 1 --gamma 2 --out K.csv\n"
      "  weft kernel a.csv b.csv --kernel rbf --bandwidth 1.5 --out K.csv");
  auto arguments = std::make_shared<KernelArguments>();
  command->add_option("A", arguments->left, "table whose rows are the rows of K_X")->required();
  command->add_option("B", arguments->right, "table whose rows are the columns of K_X")->required();
  command->add_option("--out", arguments->out,
                      "output file (.csv, .tsv or .npy; .gz behind it compresses), or - for CSV on standard output");
  command->add_option(
      "--kernel", arguments->kernel,
      "rbf, laplace, laplace-l2, angular or implicit:FAMILY; not given: the implicit kernel of --family");
  command->add_option(
      "--bandwidth", arguments->bandwidth,
      "sigma of rbf, exp(-|d|^2/2sigma^2), laplace, exp(-|d|_1/sigma), and laplace-l2, exp(-|d|/sigma)");
  command->add_option("--exponent", arguments->exponent,
                      "q of laplace, exp(-(|d|_1/sigma)^q), and laplace-l2; not given: 1");
  add_fields(*command, arguments->read, "Reading");
  add_fields(*command, arguments->encode, "Reading", kRawChoices);
  add_fields(*command, arguments->family, "Family");
  add_fields(*command, arguments->run, "Run", {"threads", "device"});
  command->callback([arguments] { run_kernel(*arguments); });
}

}  // namespace weft::cli
