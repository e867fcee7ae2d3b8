// What fits in parts pass around: statistics, plans and sums.
#include <weft/encoder_statistics.hpp>
#include <weft/level_statistics.hpp>
#include <weft/sums.hpp>

#include "fuzz/fuzz_target.hpp"
#include "fuzz/inputs.hpp"
#include "linalg/accumulator.hpp"
#include "model/sample_models.hpp"

namespace weft::fuzz {

using namespace detail;
using namespace testing;

namespace {

EncodeOptions few_levels() {
  EncodeOptions encode;
  encode.max_levels = 2;
  return encode;
}

Data part(int number, const std::string& target = "y") {
  return sample_data(60, target).rows(30 * number, 30 * number + 30);
}

/// Whose rows are held out by the values of a column.
Data ruled_part(int number, const RowRuleOptions& rule) {
  const Data plain = part(number);
  ReadOptions options = plain.options();
  options.rule = rule;
  return {plain.name(), options, [plain] { return plain.open(); }};
}

const RowRuleOptions kByTexts = {.group = "city"};
const RowRuleOptions kByTimes = {.time = "b"};

Plan small_plan(const std::string& target = "y") {
  FamilyOptions family = sample_family("rw-sign", 4);
  return Plan::of({part(0, target), part(1, target)}, family, {}, few_levels(), one_thread());
}

Plan ruled_plan(const RowRuleOptions& rule) {
  return Plan::of({ruled_part(0, rule), ruled_part(1, rule)}, sample_family("rw-sign", 4), {}, {}, one_thread());
}

/// A target of a type that has to_bytes and from_bytes; use(value) is what is done with it.
template <class T>
Target round_trip(
    const std::string& name, int replays, std::function<std::vector<std::string>()> seeds,
    std::function<void(const T&)> use = [](const T&) {}) {
  const auto run = [use](std::string_view input) {
    const T value = T::from_bytes(std::string(input), "input");
    const std::string bytes = value.to_bytes();
    require(T::from_bytes(bytes, "again").to_bytes() == bytes, "what was read changes when it is written");
    use(value);
  };
  return {name, 20000, replays, run, std::move(seeds), repair_block_file};
}

void use_statistics(const PartStatistics& statistics) {
  PartStatistics next = statistics;
  try {
    next.merge(statistics);  // which does not follow itself
  } catch (const Error&) {
  }
  const Encoder encoder = Encoder::fit(statistics.columns(), one_thread());
  require(encoder.rows_seen() == statistics.rows(), "an encoder of other rows");
}

void use_sums(const Sums& sums) {
  static_cast<void>(sums.to_json());
  SolveOptions options;
  options.allow_missing = true;
  static_cast<void>(solve(sums, options, one_thread()).to_bytes());
}

}  // namespace

void add_sums(std::vector<Target>& targets) {
  targets.push_back(round_trip<PartStatistics>(
      "statistics", 500,
      [] {
        std::vector<std::string> seeds;
        for (const char* target : {"y", "kind"})
          seeds.push_back(PartStatistics::of(part(0, target), few_levels(), one_thread()).to_bytes());
        for (const RowRuleOptions& rule : {kByTexts, kByTimes})
          seeds.push_back(PartStatistics::of(ruled_part(0, rule), {}, one_thread()).to_bytes());
        return seeds;
      },
      use_statistics));
  targets.push_back(round_trip<EncoderStatistics>("encoder-statistics", 500, [] {
    return std::vector<std::string>{EncoderStatistics::of(part(0), few_levels()).to_bytes()};
  }));
  targets.push_back(round_trip<LevelStatistics>("level-statistics", 500, [] {
    const Data all = sample_data(60, "y");
    return std::vector<std::string>{LevelStatistics::of(Encoder::fit(all, few_levels()), all).to_bytes()};
  }));
  targets.push_back(round_trip<Accumulator>("accumulator", 2000, [] {
    Accumulator sums(3, 2, {1, 2});
    const Matrix phi = Matrix(3, 4);
    const Matrix y(2, 4);
    sums.add(phi.view(), y.view(), nullptr, 1);
    return std::vector<std::string>{sums.to_bytes()};
  }));
  targets.push_back(round_trip<Plan>(
      "plan", 500,
      [] {
        return std::vector<std::string>{small_plan().to_bytes(), small_plan("kind").to_bytes(),
                                        ruled_plan(kByTexts).to_bytes(), ruled_plan(kByTimes).to_bytes()};
      },
      [](const Plan& plan) {
        static_cast<void>(plan.to_json());
        try {
          static_cast<void>(Sums::of(plan, ruled_part(0, kByTexts), one_thread()));
        } catch (const Error&) {
        }
      }));
  targets.push_back(round_trip<Sums>(
      "sums", 300,
      [] {
        const Plan plan = small_plan();
        Sums both = Sums::of(plan, part(0), one_thread());
        const std::string one = both.to_bytes();
        both.merge(Sums::of(plan, part(1), one_thread()));
        return std::vector<std::string>{one, both.to_bytes(), Sums::of(small_plan("kind"), part(0, "kind")).to_bytes(),
                                        Sums::of(ruled_plan(kByTimes), ruled_part(0, kByTimes)).to_bytes()};
      },
      use_sums));
}

}  // namespace weft::fuzz
