#include <weft/serve.hpp>

#include "cli/cell_rules.hpp"
#include "cli/commands.hpp"
#include "cli/interval_arguments.hpp"
#include "cli/options.hpp"
#include "cli/session.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>

namespace weft::cli {

namespace {

struct ServeArguments {
  std::string model;
  std::string token_file;
  ServeOptions serve;
  DecisionOptions decision;
  IntervalArguments intervals;
  ReadOptions read;
  CellRules cells;
  RunOptions run;
};

/// Not on the command line, which others can see.
std::string read_token(const std::string& file) {
  std::string token;
  if (file.empty()) {
    const char* const given = std::getenv("WEFT_TOKEN");
    token = given == nullptr ? "" : given;
  } else {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw Error(ErrorKind::file, "cannot be opened", file, "give a file that holds the token alone");
    token.assign(std::istreambuf_iterator<char>(stream), {});
  }
  const auto visible = [](char c) { return c > ' ' && c < 0x7F; };
  while (!token.empty() && std::isspace(static_cast<unsigned char>(token.back())) != 0) token.pop_back();
  if ((token.empty() && !file.empty()) || !std::all_of(token.begin(), token.end(), visible))
    throw Error(ErrorKind::option, "the token is not one line of visible ASCII characters",
                file.empty() ? "WEFT_TOKEN" : file, "make one by: openssl rand -hex 32");
  return token;
}

void run_serve(const std::shared_ptr<const ServeArguments>& arguments) {
  Session session(arguments->run, true);
  const Run& run = session.run();
  ServeRequest request{
      .model = arguments->model, .options = arguments->serve, .token = read_token(arguments->token_file)};
  request.load = [arguments](const std::string& path) { return arguments->cells.load(path); };
  request.predict = [arguments, &run](const Model& model) {
    PredictOptions options{.decision = arguments->decision};
    arguments->intervals.apply(model, arguments->read, run, options);
    return options;
  };
  request.read_background = [arguments, &run](const Model& model, const std::string& path) {
    return CellRules::read(model, path, arguments->read, run);
  };
  Server server(std::move(request), run);
  print_out("serving {} at {}\n", arguments->model, server.url());
  flush_standard_output();
  server.serve();
}

}  // namespace

void add_serve(App& app) {
  auto* command =
      app.add_subcommand("serve", "Answer requests for predictions over HTTP, with a page to try the model");
  command->footer(
      "POST /predict and /explain take rows in JSON or CSV; /model, /openapi.json, /health and /metrics tell the "
      "rest.\n"
      "Open the address in a browser to try the model. A changed model file is read again. Ctrl-C ends it when the\n"
      "requests under way are answered (docs/serve.md).\n"
      "Example:\n  weft serve price.weft --port 8080\n"
      "  curl -H 'Content-Type: text/csv' --data-binary @new.csv http://127.0.0.1:8080/predict");
  auto arguments = std::make_shared<ServeArguments>();
  command->add_option("model", arguments->model, "model file")->required();
  add_fields(*command, arguments->serve);
  command->add_option("--token-file", arguments->token_file,
                      "file with the token that requests must bear; if it is not given, the environment's WEFT_TOKEN");
  add_fields(*command, arguments->decision);
  arguments->intervals.add_to(*command);
  add_fields(*command, arguments->read, "Reading");
  arguments->cells.add_to(*command);
  add_fields(*command, arguments->run, "Run", {"threads", "device"});
  command->callback([arguments] { run_serve(arguments); });
}

}  // namespace weft::cli
