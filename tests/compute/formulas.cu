// Every activation formula as device code, in both precisions: this file has to compile.
#include "compute/activations/all.hpp"

namespace weft::detail::formula {

template <class Formula, class Real>
__global__ void activate(int n, const Real* mu, const Real* nu, Real* values, Real* smoothings, Real* slopes) {
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += static_cast<int>(gridDim.x * blockDim.x)) {
    const Terms<Real> terms = Formula::terms(nu[i]);
    values[i] = Formula::value(mu[i]);
    smoothings[i] = Formula::smooth(mu[i], terms.p, terms.q);
    const Slopes<Real> slope = Formula::slopes(mu[i], nu[i]);
    slopes[2 * i] = slope.first;
    slopes[2 * i + 1] = slope.second;
  }
}

template <class Real, class... Rows>
void activate_all(Table<Rows...>, int n, const Real* mu, const Real* nu, Real* values, Real* smoothings, Real* slopes) {
  (activate<Rows, Real><<<1, 1>>>(n, mu, nu, values, smoothings, slopes), ...);
}
template void activate_all(Activations, int, const float*, const float*, float*, float*, float*);
template void activate_all(Activations, int, const double*, const double*, double*, double*, double*);

}  // namespace weft::detail::formula
