#include "cli/train_data.hpp"

#include <memory>

namespace weft::cli {

void TestOptions::add_to(CLI::App& command) {
  command.add_option("--test", test, "file to test the model on");
  command.add_option("--holdout", holdout, "fraction of the rows kept for testing (in [0, 1)) [0]");
}

void TestOptions::check() const {
  check_value("holdout", holdout, Allowed{.low = 0, .high = 1, .high_open = true});
  if (!test.empty() && holdout > 0)
    throw Error(ErrorKind::option, "a test file and a hold-out are two ways to the same end", "--holdout",
                "give --test or --holdout");
}

TrainAndTest TestOptions::split(const Data& all, const ReadOptions& read, const EncodeOptions& encode,
                                std::uint64_t seed, const Run& run) const {
  if (!test.empty()) return {all, weft::read(test, read)};
  if (holdout == 0) return {all, std::nullopt};
  const Encoder encoder = Encoder::fit(all, encode, run);
  const auto held_out = std::make_shared<const std::vector<std::uint8_t>>(
      weft::split(encoder.rows_seen(), row_classes(encoder, all, run), {.holdout = holdout, .seed = seed}));
  const auto rows_where = [&](bool wanted) {
    return select_rows(
        all, [held_out, wanted](Index row) { return (*held_out)[static_cast<std::size_t>(row)] == (wanted ? 1 : 0); });
  };
  return {rows_where(false), rows_where(true)};
}

Data read_training(const std::string& path, const ReadOptions& options) {
  Data all = read(path, options);
  if (all.options().target.empty())
    throw Error(ErrorKind::option, "what is to be predicted is not said", "--target", "name the target column");
  return all;
}

}  // namespace weft::cli
