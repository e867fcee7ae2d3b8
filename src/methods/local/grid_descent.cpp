#include "methods/local/grid_descent.hpp"

#include <cmath>

namespace weft::detail {

GridPoint descend(GridPoint start, Index firsts, Index seconds, const std::function<double(GridPoint)>& value) {
  std::map<GridPoint, double> known;
  const auto at_point = [&](GridPoint point) {
    const auto found = known.find(point);
    return found != known.end() ? found->second : known.emplace(point, value(point)).first->second;
  };
  GridPoint best = start;
  double smallest = at_point(best);
  for (bool moved = true; moved;) {
    moved = false;
    for (const auto& [d1, d2] : {std::pair{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, -1}, {-1, 1}}) {
      for (;;) {
        const GridPoint next{best.first + d1, best.second + d2};
        if (next.first < 0 || next.first >= firsts || next.second < 0 || next.second >= seconds) break;
        const double there = at_point(next);
        if (!(there < smallest) && !(std::isnan(smallest) && !std::isnan(there))) break;
        best = next;
        smallest = there;
        moved = true;
      }
    }
  }
  return best;
}

}  // namespace weft::detail
