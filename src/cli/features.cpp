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

struct FeaturesArguments {
  std::string data;
  std::string centres;
  std::string save_centres;
  std::string out = "-";
  ReadOptions read;
  EncodeOptions encode = raw_inputs();
  FamilyOptions family{.family = "rw-relu"};  // auto is for training
  RunOptions run;
};

void save_centres(const FeatureMap& map, const std::string& path) {
  TableWriter writer(path, map.table_columns());
  writer.append(map.table());
  writer.commit();
}

void run_features(const FeaturesArguments& arguments) {
  check_output_files({{"--save-centres", arguments.save_centres, true}, {"--out", arguments.out, true}},
                     {{"the table", arguments.data}, {"the file of --centres", arguments.centres}});
  Session session(arguments.run, arguments.out == "-");
  const Data data = read_table(arguments.data, arguments.read, session.run());
  const Encoder encoder = Encoder::fit_inputs(data, arguments.encode, session.run());
  const FeatureMap map = make_map(arguments.family, encoder.inputs(), arguments.centres);
  if (!arguments.save_centres.empty()) save_centres(map, arguments.save_centres);

  std::vector<std::string> names;
  for (Index t = 0; t < map.features(); ++t) names.push_back("f" + std::to_string(t));
  const auto reader = encoder.open(data, false, session.run());
  std::optional<TableWriter> writer;  // opened with the first rows: an error leaves standard output empty
  constexpr Index kBlockRows = 2048;
  Matrix phi;
  double rows = 0;
  for (Block block; reader->next(block, kBlockRows);) {
    session.run().check_cancelled();
    phi.reshape(map.features(), block.rows());
    map.values(block.x, phi, session.run());
    if (!writer) writer.emplace(arguments.out, names);
    writer->append_transposed(phi);
    rows += static_cast<double>(block.rows());
    session.run().report("features", rows, static_cast<double>(encoder.rows_seen()));
  }
  writer->commit();
}

}  // namespace

void add_features(App& app) {
  auto* command = app.add_subcommand("features", "Write the raw feature matrix of a table");
  command->footer(
      "Columns are used as they are: no scaling, no bias; all are inputs unless --target names one.\n"
      "Centres: one per row; a dense centre has one weight per input, a stump is (0-based column, threshold).\n"
      "Example:\n  weft features data.csv --family rw-relu --sigma 1 --gamma 2 --features 500 --seed 7 --out F.npy");
  auto arguments = std::make_shared<FeaturesArguments>();
  add_data(*command, arguments->data);
  command->add_option("--centres", arguments->centres, "file with the centres to use instead of drawing them");
  command->add_option("--save-centres", arguments->save_centres, "write the centres to this file");
  command->add_option("--out", arguments->out,
                      "output file (.csv, .tsv or .npy; .gz behind it compresses), or - for CSV on standard output");
  add_fields(*command, arguments->read, "Reading");
  add_fields(*command, arguments->encode, "Reading", kRawChoices);
  add_fields(*command, arguments->family, "Family");
  add_fields(*command, arguments->run, "Run", {"threads"});
  command->callback([arguments] { run_features(*arguments); });
}

}  // namespace weft::cli
