// The softmax loss couples the outputs of a model: one bound for all of them (docs/mathematics.md §10.6).
#pragma once

#include <weft/certify.hpp>

namespace weft::detail {

/// Everything but the plain bound and `best`. `alternatives` as in Facts. Throws where options.bound names a theorem
/// about single outputs.
Certificate softmax_certificate(const Model& model, const Data& data, const CertifyOptions& options,
                                double alternatives, const Run& run);

}  // namespace weft::detail
