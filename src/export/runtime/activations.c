//: inverse_spread
/* Activations: h(mu), or their mean under N(mu, nu^2); t holds what depends on nu alone, and t[2] a learned one. */
@local@ double inverse_spread(double nu) {
  return 1 / (nu < 1e-300 ? 1e-300 : nu);
}
//: no_terms
@local@ void no_terms(double nu, double* t) {
  (void)nu;
  (void)t;
}
//: sign_value
@local@ double sign_value(double z, const double* t) {
  (void)t;
  return z > 0 ? 1 : z < 0 ? -1 : z;
}
//: sign_terms
@local@ void sign_terms(double nu, double* t) {
  t[0] = 0.70710678118654752 * inverse_spread(nu);
}
//: sign_smooth
@local@ double sign_smooth(double mu, const double* t) {
  return erf(mu * t[0]);
}
//: step_value
@local@ double step_value(double z, const double* t) {
  (void)t;
  return z > 0 ? 1 : z < 0 ? 0 : z + 0.5;
}
//: step_terms
@local@ void step_terms(double nu, double* t) {
  t[0] = -0.70710678118654752 * inverse_spread(nu);
}
//: step_smooth
@local@ double step_smooth(double mu, const double* t) {
  return 0.5 * erfc(mu * t[0]);
}
//: relu_value
@local@ double relu_value(double z, const double* t) {
  (void)t;
  return z > 0 ? z : z - z;
}
//: relu_terms
@local@ void relu_terms(double nu, double* t) {
  t[0] = 0.70710678118654752 * inverse_spread(nu);
  t[1] = 0.39894228040143268 * nu;
}
//: relu_smooth
@local@ double relu_smooth(double mu, const double* t) {
  const double z = mu * t[0];
  return t[1] * exp(-z * z) + 0.5 * mu * erfc(-z);
}
//: leaky_relu_value
@local@ double leaky_relu_value(double z, const double* t) {
  (void)t;
  return z > 0 ? z : 0.01 * z;
}
//: leaky_relu_terms
@local@ void leaky_relu_terms(double nu, double* t) {
  relu_terms(nu, t);
}
//: leaky_relu_smooth
@local@ double leaky_relu_smooth(double mu, const double* t) {
  return 0.01 * mu + 0.99 * relu_smooth(mu, t);
}
//: abs_value
@local@ double abs_value(double z, const double* t) {
  (void)t;
  return fabs(z);
}
//: abs_terms
@local@ void abs_terms(double nu, double* t) {
  t[0] = 0.70710678118654752 * inverse_spread(nu);
  t[1] = 0.79788456080286536 * nu;
}
//: abs_smooth
@local@ double abs_smooth(double mu, const double* t) {
  const double z = mu * t[0];
  return t[1] * exp(-z * z) + mu * erf(z);
}
//: identity_value
@local@ double identity_value(double z, const double* t) {
  (void)t;
  return z;
}
//: identity_terms
@local@ void identity_terms(double nu, double* t) {
  no_terms(nu, t);
}
//: identity_smooth
@local@ double identity_smooth(double mu, const double* t) {
  (void)t;
  return mu;
}
//: square_value
@local@ double square_value(double z, const double* t) {
  (void)t;
  return z * z;
}
//: square_terms
@local@ void square_terms(double nu, double* t) {
  t[0] = nu * nu;
}
//: square_smooth
@local@ double square_smooth(double mu, const double* t) {
  return mu * mu + t[0];
}
//: cos_value
@local@ double cos_value(double z, const double* t) {
  (void)t;
  return cos(z);
}
//: cos_terms
@local@ void cos_terms(double nu, double* t) {
  t[0] = exp(-0.5 * nu * nu);
}
//: cos_smooth
@local@ double cos_smooth(double mu, const double* t) {
  return t[0] * cos(mu);
}
//: sin_value
@local@ double sin_value(double z, const double* t) {
  (void)t;
  return sin(z);
}
//: sin_terms
@local@ void sin_terms(double nu, double* t) {
  t[0] = exp(-0.5 * nu * nu);
}
//: sin_smooth
@local@ double sin_smooth(double mu, const double* t) {
  return t[0] * sin(mu);
}
//: erf_value
@local@ double erf_value(double z, const double* t) {
  (void)t;
  return erf(z);
}
//: erf_terms
@local@ void erf_terms(double nu, double* t) {
  t[0] = 1 / sqrt(1 + 2 * nu * nu);
}
//: erf_smooth
@local@ double erf_smooth(double mu, const double* t) {
  return erf(mu * t[0]);
}
//: gaussian_value
@local@ double gaussian_value(double z, const double* t) {
  (void)t;
  return exp(-0.5 * z * z);
}
//: gaussian_terms
@local@ void gaussian_terms(double nu, double* t) {
  t[0] = -0.5 / (1 + nu * nu);
  t[1] = 1 / sqrt(1 + nu * nu);
}
//: gaussian_smooth
@local@ double gaussian_smooth(double mu, const double* t) {
  return t[1] * exp(mu * mu * t[0]);
}

//: learned
/* Sums of bumps on an even grid. */
static const struct { int count; double first, step, width; int degree, coefficients; } learned[] = @learned@;

//: rbf_terms
@local@ void rbf_terms(double nu, double* t) {
  const double width = learned[(int)t[2]].width, wide = hypot(width, nu);
  t[0] = -0.5 / (wide * wide);
  t[1] = width / wide;
}
//: rbf_smooth
@local@ double rbf_smooth(double mu, const double* t) {
  const int h = (int)t[2];
  double sum = 0;
  int k;
  for (k = 0; k < learned[h].count; ++k) {
    const double far = mu - (learned[h].first + learned[h].step * k);
    sum += parameters[learned[h].coefficients + k] * (t[1] * exp(far * far * t[0]));
  }
  return sum;
}
//: rbf_value
@local@ double rbf_value(double z, const double* t) {
  double terms[3];
  terms[2] = t[2];
  rbf_terms(0, terms);
  return rbf_smooth(z, terms);
}

//: spline_at
/* Sum of B-splines at s knot intervals from the first knot (Cox and de Boor). */
@local@ double spline_at(int h, double s) {
  const int degree = learned[h].degree, count = learned[h].count;
  double values[8], sum = 0;
  int cell, m, j;
  if (!(s >= 0) || !(s < count + degree)) return 0;
  cell = (int)s;
  values[0] = 1;
  for (m = 1; m <= degree; ++m) {
    double carried = 0;
    for (j = 0; j < m; ++j) {
      const double shared = values[j] / m;
      values[j] = carried + (j + 1 - (s - cell)) * shared;
      carried = ((s - cell) + (m - 1 - j)) * shared;
    }
    values[m] = carried;
  }
  for (j = 0; j <= degree; ++j)
    if (cell - degree + j >= 0 && cell - degree + j < count)
      sum += parameters[learned[h].coefficients + cell - degree + j] * values[j];
  return sum;
}

//: bspline_wide
/* Far wider than a cell, the normal law is integrated by five nodes of Gauss and Legendre per cell. */
@local@ double bspline_wide(int h, double s, double spread, int from, int to) {
  static const double nodes[] = {0.046910077030668, 0.23076534494715845, 0.5, 0.76923465505284155, 0.953089922969332};
  static const double weights[] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444, 0.23931433524968324,
                                   0.11846344252809454};
  double sum = 0;
  int k, j;
  for (k = from; k <= to + learned[h].degree; ++k)
    for (j = 0; j < 5; ++j) {
      const double far = (k + nodes[j] - s) / spread;
      sum += weights[j] * spline_at(h, k + nodes[j]) * exp(-0.5 * far * far);
    }
  return sum / (spread * 2.5066282746310005);
}

//: bspline_narrow
/* By the recursion of Cox and de Boor and E[z f(z)] = mu E[f] + nu^2 E[f']. At most 54 + 2 * 5 splines are reached. */
@local@ double bspline_narrow(int h, double s, double spread, int from, int to) {
  enum { MOST = 96 };
  double a[MOST], b[MOST], c[MOST], *below = a, *level = b, *above = c, *swap, last = 0, sum = 0;
  const int degree = learned[h].degree, count = to - from + 1, knots = count + degree + 1;
  int k, m;
  s -= from;
  for (k = 0; k < knots; ++k) {
    const double z = (k - s) / spread, next = erf(z * 0.70710678118654752);
    below[k] = exp(-0.5 * z * z) / (spread * 2.5066282746310005);
    if (k > 0) level[k - 1] = 0.5 * (next - last);
    last = next;
  }
  for (m = 1; m <= degree; ++m) {
    for (k = 0; k < knots - m - 1; ++k)
      above[k] = ((s - k) * level[k] + (k + m + 1 - s) * level[k + 1] +
                  spread * spread * (below[k] - 2 * below[k + 1] + below[k + 2])) / m;
    swap = below;
    below = level;
    level = above;
    above = swap;
  }
  for (k = 0; k < count; ++k) sum += parameters[learned[h].coefficients + from + k] * level[k];
  return sum;
}

//: bspline_terms
@local@ void bspline_terms(double nu, double* t) {
  t[0] = nu / learned[(int)t[2]].step;
}
//: bspline_smooth
@local@ double bspline_smooth(double mu, const double* t) {
  const int h = (int)t[2], degree = learned[h].degree, last = learned[h].count + degree;
  const double s = (mu - learned[h].first) / learned[h].step, spread = t[0];
  const double low = s - 9 * spread, high = s + 9 * spread;
  int from, to;
  if (spread == 0 || !isfinite(s)) return spline_at(h, s);
  from = (low > 0 ? low < last ? (int)low : last : 0) - degree;
  to = high > 0 ? high < last ? (int)high : last : 0;
  if (from < 0) from = 0;
  if (to > learned[h].count - 1) to = learned[h].count - 1;
  if (from > to) return 0;
  return spread > 3 ? bspline_wide(h, s, spread, from, to) : bspline_narrow(h, s, spread, from, to);
}
//: bspline_value
@local@ double bspline_value(double z, const double* t) {
  const int h = (int)t[2];
  return spline_at(h, (z - learned[h].first) / learned[h].step);
}
