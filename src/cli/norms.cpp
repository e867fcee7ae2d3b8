#include "cli/norms.hpp"

namespace weft::cli {

namespace {

constexpr Index kMostFeatures = 10000;

}  // namespace

std::optional<Norms> norms_of(const Model& model, const Run& run) {
  if (model.parts().map.features() > kMostFeatures) return std::nullopt;
  return Norms{model.rkhs_norms(run), model.l2p_norms(run)};
}

Json to_json(const Norms& norms) {
  Json json = {{"rkhs", numbers(norms.rkhs)}};
  if (norms.l2p) json["l2p"] = numbers(*norms.l2p);
  return json;
}

}  // namespace weft::cli
