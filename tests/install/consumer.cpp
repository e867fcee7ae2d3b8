// Draws one plain ReLU feature, φ(x) = max(0, ⟨w, x⟩), and checks what the installed library makes of ±w.
#include <weft/feature_map.hpp>
#include <weft/version.hpp>

#include <cmath>
#include <cstdio>

int main() {
  weft::FamilyOptions options;
  options.family = "rks-relu";
  options.features = 1;
  const weft::FeatureMap map = weft::FeatureMap::draw(options, weft::Inputs::plain(3));
  const weft::Matrix centre = map.table();

  // x along w and against it: one of the two rows is clipped whatever the draw.
  weft::Matrix x(3, 2);
  double square = 0;
  for (weft::Index j = 0; j < 3; ++j) {
    x(j, 0) = centre(0, j);
    x(j, 1) = -centre(0, j);
    square += centre(0, j) * centre(0, j);
  }
  weft::Matrix phi(1, 2);
  map.values(x, phi);

  std::printf("weft %s: phi(w) = %.17g, phi(-w) = %.17g\n", weft::version(), phi(0, 0), phi(0, 1));
  return square > 0 && std::abs(phi(0, 0) - square) <= 1e-14 * square && phi(0, 1) == 0 ? 0 : 1;
}
