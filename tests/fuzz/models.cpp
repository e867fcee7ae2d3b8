// Model files of every kind, and encoders.
#include <weft/fit.hpp>
#include <weft/model.hpp>

#include "fuzz/fuzz_target.hpp"
#include "fuzz/inputs.hpp"
#include "model/sample_members.hpp"

namespace weft::fuzz {

using namespace detail;
using namespace testing;

namespace {

void model(std::string_view input) {
  const Model loaded = Model::from_bytes(std::string(input));
  const std::string bytes = loaded.to_bytes();
  require(Model::from_bytes(bytes).to_bytes() == bytes, "a model that changes when it is written");
  static_cast<void>(loaded.to_json());
  const std::size_t values = predict_all(loaded, sample_data(3, ""), {}, one_thread()).values.size();
  require(values == 3 * loaded.value_names().size(), "predictions are missing");
}

std::string fitted(const std::string& target, const char* method) {
  FitRequest request{.train = sample_data(60, target), .family = sample_family("rw-sign", 6)};
  request.encode.max_levels = 2;
  request.fit.intervals = true;
  request.run = one_thread();
  if (std::string(method) == "local") {
    request.fit.method = LocalOptions{};
    request.family = {};
  }
  return fit(request).to_bytes();
}

std::vector<std::string> model_seeds() {
  ModelParts spread = sample_parts("y", sample_family("rw-relu/sparse:2", 5));
  add_variance(spread);
  return {Model(sample_parts("kind", sample_family("rw-stumps:3+rks-cos:2", 5))).to_bytes(),
          Model(spread).to_bytes(),
          Model(kernel_parts("yes", "laplace", 3)).to_bytes(),
          Model(kernel_parts("y", "implicit:rw-sign", 3)).to_bytes(),
          Model(member_parts("y,z")).to_bytes(),
          fitted("y", "least-squares"),
          fitted("yes", "local")};
}

void encoder(std::string_view input) {
  const Encoder loaded = Encoder::from_json(std::string(input));
  const std::string text = loaded.to_json();
  require(Encoder::from_json(text).to_json() == text, "an encoder that changes when it is written");
  const auto reader = loaded.open(sample_data(3, ""), false, one_thread());
  Block block;
  while (reader->next(block, 100)) require(block.rows() == 3, "rows are missing");
}

std::vector<std::string> encoder_seeds() {
  EncodeOptions few;
  few.max_levels = 2;
  few.scale = Scaling::both;
  return {Encoder::fit(sample_data(20, "kind"), {}).to_json(), Encoder::fit(sample_data(20, "y", "w"), few).to_json()};
}

}  // namespace

void add_models(std::vector<Target>& targets) {
  targets.push_back({"model", 20000, 300, model, model_seeds, repair_block_file});
  targets.push_back({"encoder", 8000, 500, encoder, encoder_seeds});
}

}  // namespace weft::fuzz
