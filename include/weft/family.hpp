// Feature families: a projection, an activation and a weight kernel. The papers' names are rows of one table.
#pragma once

#include <weft/activation.hpp>
#include <weft/fields.hpp>
#include <weft/matrix.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace WEFT_PUBLIC weft {

/// K(u, w): gaussian exp(−‖u−w‖²/2γ²), exponential exp(⟨u,w⟩/2γ²), or none (plain random features).
class WeightKernel {
 public:
  enum class Kind { none, gaussian, exponential };

  WeightKernel() = default;
  explicit WeightKernel(Kind kind) : kind_(kind) {}

  Kind kind() const { return kind_; }
  const char* name() const;
  bool none() const { return kind_ == Kind::none; }

 private:
  Kind kind_ = Kind::none;
};

/// dense: ⟨w, x⟩ over all inputs. sparse: over k variables of a pool of subsets, plus the bias. axis: x_j − θ (stumps).
struct Projection {
  enum class Kind { dense, sparse, axis };
  Kind kind = Kind::dense;
  Index variables = 0;  ///< k of sparse

  std::string name() const;  ///< "dense", "sparse:3", "axis"
};

/// The distribution from which the coordinates of a centre are drawn independently: N(0, σ²), or σ times a standard
/// Cauchy. Only cos without a weight kernel has closed forms under the Cauchy law: its implicit kernel is the Laplace
/// kernel.
enum class Law { gaussian, cauchy };

struct Family {
  Projection projection;
  ActivationPtr activation;
  WeightKernel kernel;
  Law law = Law::gaussian;
  double amplitude = 1;  ///< √2 for random Fourier features: 2·E[cos(⟨w,x⟩+b)cos(⟨w,x'⟩+b)] is the kernel itself

  std::string name() const;  ///< canonical: "rw-relu/sparse:3"
  /// Whether K_X needs no quadrature. Features, G and M never do.
  bool implicit_kernel_is_closed_form() const;
};

/// One member of a union; `features` 0: an equal share of the remaining features.
struct FamilyPart {
  Family family;
  Index features = 0;
};

/// "rw-relu", "rks-cos", "rff-laplace", "rw-relu/sparse:3", "rw-stumps:300+rw-relu/sparse:3:700". `custom` is the
/// activation of "custom" and "learned".
std::vector<FamilyPart> parse_family(const std::string& text, const ActivationPtr& custom = nullptr);

/// A row of `weft families`.
struct FamilyRow {
  std::string name;
  Family family;
  std::string paper;  ///< its name in the papers, or empty

  std::string to_json() const;
};
const std::vector<FamilyRow>& family_table();

/// How centres are drawn.
enum class Sampling { plain, orthogonal, structured, halton, sobol, leverage, leverage_top, eerf, lkrf };
constexpr auto choice_names(Sampling) {
  return std::array{"plain", "orthogonal", "structured", "halton", "sobol", "leverage", "leverage-top", "eerf", "lkrf"};
}

struct FamilyOptions {
  Setting<std::string> family = default_value("auto");
  Setting<Index> features = default_value(1000);
  Setting<double> sigma = default_value(1);
  std::optional<double> gamma = {};
  std::optional<double> theta = {};
  std::optional<double> exact_theta = {};
  std::optional<double> kappa = {};
  std::optional<double> shrink = {};
  std::optional<double> phase = {};
  std::optional<Index> pool = {};
  Setting<Sampling> sampling = default_value(Sampling::plain);
  Setting<Index> candidates = default_value(0);
  Setting<Sampling> candidate_sampling = default_value(Sampling::plain);
  std::optional<double> sampling_lambda = {};
  Setting<Index> sampling_rows = default_value(0);
  Setting<double> sampling_rho = default_value(1);
  Setting<bool> replacement = default_value(false);
  Setting<std::uint64_t> seed = default_value(1);

  static auto fields() {
    using O = FamilyOptions;
    return std::tuple{
        Field{"family", &O::family, Allowed::anything(),
              "feature family, or several joined by + (see weft families); auto: stumps and ReLU on three variables "
              "each"},
        Field{"features", &O::features, Allowed::at_least(1), "number of random features T"},
        Field{"sigma", &O::sigma, Allowed::positive(), "standard deviation of the centres"},
        Field{"gamma", &O::gamma, Allowed::positive(),
              "bandwidth of the weight kernel (or give theta, exact_theta, kappa or shrink)"},
        Field{"theta", &O::theta, Allowed::inside(0, 1),
              "choose gamma by the papers' rule gamma^2 = 2 sigma^2/(theta^(-4/n) - 1) (gaussian kernel): the bound "
              "theta of sign features then has this value, that of relu is a multiple of theta^(1-1/n)"},
        Field{"exact_theta", &O::exact_theta, Allowed::inside(0, 1),
              "choose gamma so that theta itself, not its bound, has this value for sign features (gaussian kernel): "
              "the smaller of the two, where theta grows with gamma"},
        Field{"kappa", &O::kappa, Allowed{.low = 1, .low_open = true},
              "choose gamma by the papers' rule gamma^2 = sigma^2/(1 - kappa^(-4/n)) (exponential kernel): kappa of "
              "sign features then has this value, that of relu is a multiple of kappa^(1+2/n)"},
        Field{"shrink", &O::shrink, Allowed::inside(0, 1),
              "choose gamma so that (1 + sigma^2/gamma^2)^(-n/2) has this value (gaussian kernel)"},
        Field{"phase", &O::phase, Allowed::anything(),
              "phase b of h(z + b); not given: drawn uniformly for cos without a weight kernel, else 0"},
        Field{"pool", &O::pool, Allowed::at_least(1),
              "number of variable subsets that sparse projections draw from, 1000 if not given; for other families the "
              "same as candidates"},
        Field{"sampling", &O::sampling,
              "how centres are drawn: independently, in orthogonal or Hadamard blocks, along a low-discrepancy "
              "sequence; or chosen among candidates by leverage score (leverage, leverage-top) or by agreement with "
              "the target (eerf, lkrf)"},
        Field{"candidates", &O::candidates, Allowed::at_least(0),
              "features from which leverage, leverage-top, eerf and lkrf choose; 0: ten times ‹features›"},
        Field{"candidate_sampling", &O::candidate_sampling,
              "how these are drawn: plain, orthogonal, structured, halton or sobol"},
        Field{"sampling_lambda", &O::sampling_lambda, Allowed::positive(),
              "lambda of the leverage scores; not given: 1/rows; with a learned activation, the value at which they "
              "sum to twice the number of features"},
        Field{"sampling_rows", &O::sampling_rows, Allowed::at_least(0),
              "rows used to score the candidates, drawn at random; 0: all"},
        Field{"sampling_rho", &O::sampling_rho, Allowed::at_least(0),
              "largest chi-square divergence of lkrf's weights from uniform"},
        Field{"replacement", &O::replacement, Allowed::anything(),
              "‹sampling› leverage draws with replacement, as the papers do; a feature drawn k times stands for k"},
        Field{"seed", &O::seed, Allowed::anything(), "seed of every random draw"},
    };
  }
};

/// The options with "auto" replaced by a family that performs well on most tables (docs/defaults.md): stumps for three
/// tenths of the features, and ReLU on three variables at a time, or on all where there are fewer.
FamilyOptions resolve_family(FamilyOptions options, Index variables);

/// γ that gives the papers' bound θ, θ itself, the constant κ, or the factor c of Dubé & Marchand 2023, in `dim`
/// dimensions.
double gamma_from_theta(double theta, double sigma, Index dim);
/// Of sign features. Throws where no γ gives so large a θ.
double gamma_from_exact_theta(double theta, double sigma, Index dim);
double gamma_from_kappa(double kappa, double sigma, Index dim);
double gamma_from_shrink(double shrink, double sigma, Index dim);

}  // namespace weft
