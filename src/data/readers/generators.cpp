// Built-in data sets. A row is a pure function of (seed, row): any number of rows streams without memory.
#include <weft/data.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/random.hpp"

namespace weft {

using namespace detail;

namespace {

constexpr double kPi = std::numbers::pi;

// The draws of one row.
struct Draws {
  Random inputs;
  Random noises;
  std::uint64_t row;
  double scale;  // of the noise

  double uniform(std::uint32_t j) const { return inputs.uniform(row, j); }
  double normal(std::uint32_t j) const { return inputs.normal(row, j); }
  double noise(std::uint32_t j) const { return scale == 0 ? 0 : scale * noises.normal(row, j); }
};

// Each fills the inputs and then the target.

// Friedman (1991), MARS, equation 61: five of ten inputs matter. The noise is added to the target.
void friedman1(const Draws& draws, double* x) {
  for (std::uint32_t j = 0; j < 10; ++j) x[j] = draws.uniform(j);
  const double centred = x[2] - 0.5;
  x[10] = 10 * std::sin(kPi * x[0] * x[1]) + 20 * centred * centred + 10 * x[3] + 5 * x[4] + draws.noise(0);
}

// Two interleaved half circles. The noise moves the point.
void moons(const Draws& draws, double* x) {
  const double angle = kPi * draws.uniform(0);
  const bool lower = draws.uniform(1) < 0.5;
  x[0] = (lower ? 1 - std::cos(angle) : std::cos(angle)) + draws.noise(0);
  x[1] = (lower ? 0.5 - std::sin(angle) : std::sin(angle)) + draws.noise(1);
  x[2] = lower ? 1 : 0;
}

// Two arms of an Archimedean spiral, one and a half turns, π apart; the square root spreads points evenly over the
// plane. The noise moves the point.
void spirals(const Draws& draws, double* x) {
  const double angle = 3 * kPi * std::sqrt(draws.uniform(0));
  const bool opposite = draws.uniform(1) < 0.5;
  const double radius = opposite ? -angle : angle;
  x[0] = radius * std::cos(angle) + draws.noise(0);
  x[1] = radius * std::sin(angle) + draws.noise(1);
  x[2] = opposite ? 1 : 0;
}

// A 4 × 4 board on the unit square. The noise, in widths of a field, moves the point after its position was noted, so
// that near an edge the colour is a matter of chance.
void checkerboard(const Draws& draws, double* x) {
  long fields = 0;
  for (std::uint32_t j = 0; j < 2; ++j) {
    x[j] = draws.uniform(j);
    fields += std::lround(std::floor(4 * x[j] + draws.noise(j)));
  }
  x[2] = static_cast<double>(fields & 1);
}

// A standard normal in the plane, cut by radius into three classes of equal probability: 1 - exp(-r²/2) is uniform. The
// noise perturbs the radius that decides.
void gaussian_quantiles(const Draws& draws, double* x) {
  x[0] = draws.normal(0);
  x[1] = draws.normal(1);
  const double radius = std::max(0.0, std::hypot(x[0], x[1]) + draws.noise(0));
  x[2] = std::min(2.0, std::floor(3 * -std::expm1(-radius * radius / 2)));
}

struct Generator {
  const char* name;
  Index inputs;
  void (*fill)(const Draws& draws, double* row);
};

constexpr Generator kGenerators[] = {
    {"friedman1", 10, friedman1},
    {"moons", 2, moons},
    {"spirals", 2, spirals},
    {"checkerboard", 2, checkerboard},
    {"gaussian-quantiles", 2, gaussian_quantiles},
};

class GeneratorReader final : public RowReader {
 public:
  GeneratorReader(const Generator& generator, const GenerateOptions& options)
      : generator_(generator), options_(options) {
    for (Index j = 0; j < generator.inputs; ++j) columns_.push_back({fmt::format("x{}", j), false});
    columns_.push_back({"target", false});
  }

  const std::vector<Column>& columns() const override { return columns_; }
  const std::vector<std::string>& dictionary(Index) const override { return no_texts_; }
  double fraction() const override { return static_cast<double>(next_row_) / static_cast<double>(options_.rows); }
  std::string place(Index row, Index column) const override {
    return fmt::format("builtin:{}:{}:{}", generator_.name, first_row_ + row + 1, column + 1);
  }

  bool next(RawBlock& block, Index max_rows) override {
    const Index rows = std::min(max_rows, options_.rows - next_row_);
    if (rows <= 0) return false;
    const Random inputs(options_.seed, RandomStream::generator);
    const Random noises(options_.seed, RandomStream::noise);
    cells_.reshape(static_cast<Index>(columns_.size()), rows);
    std::vector<double> row(columns_.size());
    for (Index i = 0; i < rows; ++i) {
      generator_.fill({inputs, noises, static_cast<std::uint64_t>(next_row_ + i), options_.noise}, row.data());
      for (std::size_t c = 0; c < row.size(); ++c) cells_(static_cast<Index>(c), i) = row[c];
    }
    block = {cells_.view(), next_row_};
    first_row_ = next_row_;
    next_row_ += rows;
    return true;
  }
  void skip(Index rows) override { next_row_ += std::min(rows, options_.rows - next_row_); }

 private:
  const Generator& generator_;
  GenerateOptions options_;
  std::vector<Column> columns_;
  std::vector<std::string> no_texts_;
  Matrix cells_;
  Index first_row_ = 0;
  Index next_row_ = 0;
};

}  // namespace

Data generate(const std::string& name, const GenerateOptions& options) {
  check_options(options);
  const auto* found = std::find_if(std::begin(kGenerators), std::end(kGenerators),
                                   [&](const Generator& generator) { return name == generator.name; });
  if (found == std::end(kGenerators))
    throw Error(ErrorKind::option, fmt::format("there is no built-in data set '{}'", name), "builtin:" + name,
                fmt::format("there are {}", fmt::join(generator_names(), ", ")));
  ReadOptions read_options;
  read_options.target = "target";
  return Data("builtin:" + name, read_options,
              [found, options] { return std::make_unique<GeneratorReader>(*found, options); });
}

std::vector<std::string> generator_names() {
  std::vector<std::string> names;
  for (const Generator& generator : kGenerators) names.emplace_back(generator.name);
  return names;
}

}  // namespace weft
