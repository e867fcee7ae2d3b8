#include <weft/family.hpp>

#include <weft/learned_activation.hpp>

#include <algorithm>
#include <charconv>
#include <numbers>

#include <fmt/format.h>

namespace weft {

namespace {

struct Prefix {
  const char* text;
  WeightKernel::Kind kernel;
};
// The longer prefix first: "rw-exp-sign" must not be read as "rw-" + "exp-sign".
constexpr Prefix kPrefixes[] = {{"rw-exp-", WeightKernel::Kind::exponential},
                                {"rw-", WeightKernel::Kind::gaussian},
                                {"rks-", WeightKernel::Kind::none}};

// Random Fourier features are named after the kernels they approximate without bias.
struct FourierName {
  const char* text;
  Law law;
};
constexpr FourierName kFourierNames[] = {{"rff-rbf", Law::gaussian}, {"rff-laplace", Law::cauchy}};

const char* prefix_of(WeightKernel::Kind kernel) {
  for (const Prefix& prefix : kPrefixes)
    if (prefix.kernel == kernel) return prefix.text;
  return "";
}

[[noreturn]] void fail(const std::string& text, const std::string& reason) {
  throw Error(ErrorKind::option, fmt::format("'{}' is not a family: {}", text, reason), "‹family›",
              "'weft families' lists them; NAME[/sparse:K|/axis|/dense][:FEATURES], joined by +");
}

Index parse_count(const std::string& part, std::string_view digits, const char* what) {
  Index value = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (status != std::errc{} || end != digits.data() + digits.size() || value < 1)
    fail(part, fmt::format("'{}' is not a {}", digits, what));
  return value;
}

// Takes the text up to (not including) the next `mark`, and the mark, off the front.
std::string_view take(std::string_view& rest, char mark) {
  const std::size_t end = std::min(rest.find(mark), rest.size());
  const std::string_view front = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return front;
}

Projection parse_projection(const std::string& part, std::string_view& rest) {
  const std::string_view kind = take(rest, ':');
  if (kind == "dense") return {};
  if (kind == "axis") return {Projection::Kind::axis, 0};
  if (kind == "sparse") return {Projection::Kind::sparse, parse_count(part, take(rest, ':'), "number of variables")};
  fail(part, fmt::format("unknown projection '{}'; choose dense, sparse:K or axis", kind));
}

Family parse_base(const std::string& part, std::string_view base, const ActivationPtr& custom) {
  for (const FourierName& name : kFourierNames)
    if (base == name.text) return {{}, find_activation("cos"), WeightKernel(), name.law, std::numbers::sqrt2};
  for (const Prefix& prefix : kPrefixes) {
    if (!base.starts_with(prefix.text)) continue;
    const std::string activation(base.substr(std::string_view(prefix.text).size()));
    const WeightKernel kernel(prefix.kernel);
    if (activation == "stumps") return {{Projection::Kind::axis, 0}, find_activation("sign"), kernel};
    const bool learned = activation == LearnedActivation::kName;
    const bool given = activation == "custom" || learned;
    if (given && custom == nullptr)
      fail(part, learned ? "an activation is learned by ‹fit› learned-activation, whatever the family's own"
                         : "a custom activation is given in C++, with custom_activation()");
    return {{}, given ? custom : find_activation(activation), kernel};
  }
  fail(part,
       "a name starts with rw- (gaussian weights), rw-exp- (exponential weights) or rks- (none), or is rff-rbf "
       "or rff-laplace");
}

FamilyPart parse_part(const std::string& part, const ActivationPtr& custom) {
  const std::size_t base_end = std::min(part.find_first_of("/:"), part.size());
  FamilyPart parsed{parse_base(part, std::string_view(part).substr(0, base_end), custom), 0};
  std::string_view rest = std::string_view(part).substr(base_end);
  if (rest.starts_with('/')) {
    rest.remove_prefix(1);
    parsed.family.projection = parse_projection(part, rest);
  } else if (rest.starts_with(':')) {
    rest.remove_prefix(1);
  }
  if (!rest.empty()) parsed.features = parse_count(part, rest, "number of features");
  return parsed;
}

}  // namespace

std::string Projection::name() const {
  switch (kind) {
    case Kind::sparse:
      return fmt::format("sparse:{}", variables);
    case Kind::axis:
      return "axis";
    case Kind::dense:
      break;
  }
  return "dense";
}

std::string Family::name() const {
  const std::string prefix = prefix_of(kernel.kind());
  if (projection.kind == Projection::Kind::axis && activation->name() == "sign") return prefix + "stumps";
  std::string base = prefix + activation->name();
  for (const FourierName& fourier : kFourierNames)
    if (amplitude != 1 && law == fourier.law) base = fourier.text;
  return projection.kind == Projection::Kind::dense ? base : base + "/" + projection.name();
}

std::vector<FamilyPart> parse_family(const std::string& text, const ActivationPtr& custom) {
  std::vector<FamilyPart> parts;
  std::string_view rest = text;
  do {
    parts.push_back(parse_part(std::string(take(rest, '+')), custom));
  } while (!rest.empty());
  if (text.ends_with('+')) fail(text, "nothing follows the last +");
  return parts;
}

FamilyOptions resolve_family(FamilyOptions options, Index variables) {
  if (options.family != "auto") return options;
  const Index stumps = options.features * 3 / 10;
  options.family = fmt::format("rw-relu/sparse:{}", std::clamp<Index>(variables, 1, 3));
  if (stumps > 0) options.family = fmt::format("rw-stumps:{}+{}", stumps, *options.family);
  return options;
}

const std::vector<FamilyRow>& family_table() {
  static const std::vector<FamilyRow> table = [] {
    const std::pair<const char*, const char*> paper_names[] = {
        {"rw-sign", "RWSign (Anonymous 2026; Dubé & Marchand 2023)"},
        {"rw-relu", "RWRelu (Anonymous 2026)"},
        {"rw-exp-sign", "RWExpSign (Anonymous 2026)"},
        {"rw-exp-relu", "RWExpRelu (Anonymous 2026)"},
        {"rw-stumps", "RWStumps (Anonymous 2026; Dubé & Marchand 2023)"},
        {"rks-sign", "RKS with sign (Anonymous 2026)"},
        {"rks-relu", "RKS with relu (Anonymous 2026)"},
        {"rks-stumps", "RKS with stumps (Anonymous 2026)"},
        {"rks-cos", "RKS with cos (Shahrampour & Kolouri 2019)"},
        {"rff-rbf", "RFF, RBF kernel (Wang 2019)"},
        {"rff-laplace", "RFF, Laplace kernel (Wang 2019)"},
    };
    std::vector<std::string> names;
    for (const Prefix kernel : {kPrefixes[1], kPrefixes[0], kPrefixes[2]}) {
      for (const std::string& activation : activation_names()) names.push_back(kernel.text + activation);
      names.push_back(std::string(kernel.text) + "stumps");
    }
    for (const FourierName& fourier : kFourierNames) names.emplace_back(fourier.text);
    std::vector<FamilyRow> rows;
    for (const std::string& name : names) {
      const auto* paper = std::find_if(std::begin(paper_names), std::end(paper_names),
                                       [&](const auto& row) { return name == row.first; });
      rows.push_back({name, parse_family(name).front().family, paper == std::end(paper_names) ? "" : paper->second});
    }
    return rows;
  }();
  return table;
}

}  // namespace weft
