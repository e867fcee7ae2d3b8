// Models to export, trained by the command, and the comparison of their programs with weft predict.
#pragma once

#include "cli/run_weft.hpp"
#include "export/hostile_table.hpp"

#include <cmath>

namespace weft::testing {

struct ExportCase {
  const char* name;
  const char* target;
  const char* training;      ///< options
  double tolerance = 1e-12;  ///< |difference| / max(1, |prediction|)
  bool numbers_beside = false;
};

inline void PrintTo(const ExportCase& one, std::ostream* out) {
  *out << one.name;
}

#define WEFT_EVERY_ACTIVATION(K, P)                                                                                \
  K "sign" P ":6+" K "step" P ":6+" K "relu" P ":6+" K "leaky-relu" P ":6+" K "abs" P ":6+" K "identity" P ":6+" K \
    "square" P ":6+" K "cos" P ":6+" K "sin" P ":6+" K "erf" P ":6+" K "gaussian" P ":6"

// Where coefficients are large and of both signs (kernel machines, features that are nearly dependent), the rounding of
// a sum is that of its terms.
inline const ExportCase kCases[] = {
    {"fast", "y", "--fast --features 60", 1e-11},
    {"gaussian_weights", "y", "--gamma 2 --features 66 --family " WEFT_EVERY_ACTIVATION("rw-", "")},
    {"exponential_weights", "y", "--gamma 2 --features 66 --family " WEFT_EVERY_ACTIVATION("rw-exp-", "")},
    {"no_weights", "y", "--features 66 --family " WEFT_EVERY_ACTIVATION("rks-", "")},
    {"sparse_gaussian", "y", "--gamma 2 --features 66 --family " WEFT_EVERY_ACTIVATION("rw-", "/sparse:3")},
    {"sparse_plain", "y", "--features 66 --family " WEFT_EVERY_ACTIVATION("rks-", "/sparse:2")},
    {"axis", "y", "--gamma 1 --features 66 --family " WEFT_EVERY_ACTIVATION("rw-", "/axis")},
    {"axis_plain", "y", "--features 60 --family rks-stumps+rw-exp-stumps+rks-relu/axis --gamma 1"},
    {"fourier", "y", "--features 60 --family rff-rbf+rff-laplace"},
    {"structured", "y", "--features 60 --family rw-relu --sampling structured"},
    {"leverage", "y", "--features 40 --family rw-relu --sampling leverage"},
    {"phase", "y", "--features 40 --family rw-cos+rw-erf --phase 0.3"},
    {"standard", "y", "--features 40 --family rw-relu+rks-sign --scale standard"},
    {"minmax", "y", "--features 40 --family rw-relu+rks-sign --scale minmax", 1e-12, true},
    {"both", "y", "--features 40 --family rw-relu+rks-sign --scale both --no-bias"},
    {"no_scale", "y", "--features 40 --family rks-sign+rks-erf --scale none"},
    {"impute", "y", "--features 40 --missing impute --drop-also empty"},
    {"na_values", "y", "--features 40 --na-values c001,2,Berlin"},
    {"learned_bumps", "y", "--fit learned-activation --features 30"},
    {"learned_splines", "y", "--fit learned-activation --features 30 --basis bspline --degree 2"},
    {"learned_smoothed", "y", "--fit learned-activation --features 30 --basis bspline --family rw-relu"},
    {"learned_relevance", "y", "--fit learned-relevance --features 60"},
    {"rbf", "y", "--fit kernel-ridge --kernel rbf --landmarks 80", 1e-11},
    {"laplace", "y", "--fit kernel-ridge --kernel laplace --exponent 0.7 --landmarks 80", 1e-11},
    {"laplace_l2", "y", "--fit kernel-ridge --kernel laplace-l2", 1e-11},
    {"angular", "y", "--fit kernel-ridge --kernel angular --landmarks 80", 1e-11},
    {"local", "y", "--fit local --leaf 100 --trees 3", 1e-11, true},
    {"portfolio", "y", "", 1e-11},
    {"two_targets", "y,z", "--features 40"},
    {"binary", "up", "--features 40"},
    {"logistic", "up", "--features 40 --fit logistic"},
    {"without_probabilities", "up", "--features 40 --fit sfgd --loss hinge"},
    {"classes", "kind", "--features 40"},
    {"logits", "kind", "--features 40 --fit logistic"},
    {"class_portfolio", "kind", "", 1e-11},
    {"poisson", "count", "--features 40 --fit newton --loss poisson"},
    {"quantiles", "y", "--features 40 --fit newton --loss quantile --quantiles 0.1,0.5,0.9"},
};

#undef WEFT_EVERY_ACTIVATION

inline std::string joined(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + "," + b;
}

/// Trains by the command in a folder with a training table and hostile rows.
class Exported : public WeftTest {
 protected:
  explicit Exported(HostileTable::Cells cells = HostileTable::Cells::strange) {
    write("train.csv", HostileTable(400, 1, HostileTable::Cells::ordinary).csv());
    const HostileTable rows(1000, 2, cells);
    write("new.csv", rows.csv());
    write("new.json", rows.json());
  }

  void train(const ExportCase& one) const {
    std::istringstream words(one.training);
    std::string dropped;
    const std::string targets = "," + std::string(one.target) + ",";
    for (const char* name : {"y", "z", "kind", "up", "count"})
      if (targets.find("," + std::string(name) + ",") == std::string::npos) dropped = joined(dropped, name);
    Words arguments = {"train", "train.csv", "--target", one.target, "--categorical",
                       "zip",   "--model",   "m.weft",   "--quiet"};
    for (std::string word; words >> word;) {
      if (word != "--drop-also")
        arguments.push_back(word);
      else if (words >> word)
        dropped = joined(dropped, word);
    }
    arguments.insert(arguments.end(), {"--drop", dropped});
    const Outcome outcome = weft(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }

  /// With the probabilities of classes, where the model has them.
  std::string predictions(const Words& options = {}) const {
    Words arguments = {"predict", "m.weft", "new.csv", "--quiet"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    Words with = arguments;
    with.emplace_back("--proba");
    const Outcome outcome = weft(with);
    return outcome.exit_code == 0 ? outcome.out : weft(arguments).out;
  }

  void export_to(const std::string& target, const std::string& out, const Words& more = {}) const {
    Words arguments = {"export", "m.weft", "--to", target, "--out", out};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = weft(arguments);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }

  bool has(const std::string& program) const { return shell("command -v " + program + " > /dev/null") == 0; }

  /// Compiles a program with this command and gives its predictions of the hostile rows.
  std::string run(const std::string& compiler, const std::string& source) const {
    EXPECT_EQ(shell(compiler + " " + source + " -o program -lm && ./program < new.csv > out.csv"), 0) << compiler;
    return text("out.csv");
  }

  std::string run_module(const std::string& parameters = "") const {
    const std::string script = tests_folder() + "/export/run_module.mjs";
    EXPECT_EQ(shell("node '" + script + "' m.mjs new.json " + parameters + " > out.csv"), 0);
    return text("out.csv");
  }
};

inline std::vector<Words> cells_of(const std::string& csv) {
  std::vector<Words> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back(1);
    bool quoted = false;
    for (const char c : line) {
      if (c == '"') quoted = !quoted;
      if (c == ',' && !quoted)
        rows.back().emplace_back();
      else if (c != '"')
        rows.back().back() += c;
    }
  }
  return rows;
}

/// Labels must be equal, numbers within the tolerance. The largest difference.
inline double expect_same(const std::string& ours, const std::string& truth, double tolerance) {
  const std::vector<Words> a = cells_of(ours), b = cells_of(truth);
  EXPECT_EQ(a.size(), b.size());
  double worst = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    EXPECT_EQ(a[i].size(), b[i].size()) << "row " << i;
    for (std::size_t c = 0; c < std::min(a[i].size(), b[i].size()); ++c) {
      char* end = nullptr;
      const double u = std::strtod(a[i][c].c_str(), &end), v = std::strtod(b[i][c].c_str(), nullptr);
      if (end == a[i][c].c_str() || a[i][c] == b[i][c]) {
        EXPECT_EQ(a[i][c], b[i][c]) << "row " << i;
        continue;
      }
      const double difference = std::abs(u - v) / std::max({1.0, std::abs(u), std::abs(v)});
      worst = difference <= worst ? worst : difference;  // NaN is the worst
    }
  }
  EXPECT_LE(worst, tolerance);
  return worst;
}

}  // namespace weft::testing
