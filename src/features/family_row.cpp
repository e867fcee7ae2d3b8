#include <weft/family.hpp>

#include "core/json_text.hpp"

namespace weft {

using namespace detail;

namespace {

const char* law_name(Law law) {
  return law == Law::cauchy ? "cauchy" : "gaussian";
}

}  // namespace

bool Family::implicit_kernel_is_closed_form() const {
  if (projection.kind != Projection::Kind::axis) return activation->dual_is_closed_form();
  const std::string h = activation->name();
  return h == "sign" || h == "cos" || h == "sin";
}

std::string FamilyRow::to_json() const {
  return json_document({{"name", name},
                        {"projection", family.projection.name()},
                        {"activation", family.activation->name()},
                        {"kernel", family.kernel.name()},
                        {"law", law_name(family.law)},
                        {"features", "closed form"},
                        {"l2_gram", family.kernel.none() ? Json(nullptr) : Json("closed form")},
                        {"implicit_kernel", family.implicit_kernel_is_closed_form() ? "closed form" : "1-D quadrature"},
                        {"paper", paper}});
}

}  // namespace weft
