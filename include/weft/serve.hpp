// A model over HTTP: predictions, explanations and a page to try it (docs/serve.md).
#pragma once

#include <weft/fields.hpp>
#include <weft/model.hpp>
#include <weft/run.hpp>

#include <functional>
#include <memory>
#include <string>

namespace WEFT_PUBLIC weft {

struct ServeOptions {
  int port = 8080;
  std::string host = "127.0.0.1";
  std::string background = "";
  double max_body = 16;
  Index max_rows = 100000;
  double max_time = 30;
  int max_connections = 1000;
  std::string allow_origin = "";

  static auto fields() {
    using O = ServeOptions;
    return std::tuple{
        Field{"port", &O::port, Allowed::between(0, 65535), "port to listen on; 0: any that is free"},
        Field{"host", &O::host, Allowed::anything(),
              "address to listen on: 127.0.0.1, ::1, or one that others can reach, such as 0.0.0.0, for which a token "
              "is required"},
        Field{"background", &O::background, Allowed::anything(),
              "table of rows like those of the training, with which explanations compare a row; if it is not given, a "
              "row of means and most frequent categories"},
        Field{"max_body", &O::max_body, Allowed::between(0.001, 1024), "largest body of a request, in MiB"},
        Field{"max_rows", &O::max_rows, Allowed::at_least(1), "most rows of a request"},
        Field{"max_time", &O::max_time, Allowed::positive(),
              "seconds that a request may take to arrive, and as many to be answered"},
        Field{"max_connections", &O::max_connections, Allowed::between(1, 100000), "most connections at a time"},
        Field{"allow_origin", &O::allow_origin, Allowed::anything(),
              "web site whose pages may send requests, such as https://example.org; not given: none but the page of "
              "the server itself"},
    };
  }
};

struct ServeRequest {
  std::string model;  ///< the file, which is read again when it changes
  ServeOptions options = {};
  std::string token = "";  ///< that requests must bear; empty: none, for loopback alone
  /// Reads the model file, then and later; from any thread.
  std::function<Model(const std::string& path)> load = Model::load;
  /// How it decides, and what intervals are given where a request does not say. None: as PredictOptions.
  std::function<PredictOptions(const Model& model)> predict = {};
  /// Reads the table of ServeOptions::background. None: as read().
  std::function<Data(const Model& model, const std::string& path)> read_background = {};
};

/// Listens once it is made. Nothing is printed: run.on_warning gets a line when the model was read again, or could not
/// be.
class Server {
 public:
  /// Throws where the model cannot be read, the address cannot be listened on, or a token is missing.
  explicit Server(ServeRequest request, const Run& run = {});
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const;
  std::string url() const;
  /// Answers requests by run.threads threads until run.cancel is set; requests under way are answered before it
  /// returns.
  void serve();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weft
