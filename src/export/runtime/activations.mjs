//: erfcTail
/** erfc for z >= 2.2 by its continued fraction, evaluated backwards: enough terms for all digits. */
function erfcTail(z) {
  if (z > 27.3) return 0;
  let f = z;
  for (let k = 80; k >= 1; --k) f = z + k / 2 / f;
  return Math.exp(-z * z) / (f * 1.7724538509055160);
}
//: erfSeries
/** erf for small z; all terms have one sign. */
function erfSeries(z) {
  let term = z;
  let sum = z;
  for (let k = 1; term !== 0 && k < 80; ++k) {
    term *= 2 * z * z / (2 * k + 1);
    if (sum + term === sum) break;
    sum += term;
  }
  return 1.1283791670955126 * Math.exp(-z * z) * sum;
}
//: erf
function erf(z) {
  return Math.abs(z) < 2.2 ? erfSeries(z) : z > 0 ? 1 - erfcTail(z) : z < 0 ? erfcTail(-z) - 1 : z;
}
//: erfc
function erfc(z) {
  return z >= 2.2 ? erfcTail(z) : 1 - erf(z);
}

//: inverseSpread
/** Activations: h(mu), or their mean under N(mu, nu^2); t holds what depends on nu alone, and t[2] a learned one. */
function inverseSpread(nu) {
  return 1 / (nu < 1e-300 ? 1e-300 : nu);
}
//: no_terms
const no_terms = () => {};
//: sign_value
const sign_value = (z) => z > 0 ? 1 : z < 0 ? -1 : z;
//: sign_terms
const sign_terms = (nu, t) => { t[0] = Math.SQRT1_2 * inverseSpread(nu); };
//: sign_smooth
const sign_smooth = (mu, t) => erf(mu * t[0]);
//: step_value
const step_value = (z) => z > 0 ? 1 : z < 0 ? 0 : z + 0.5;
//: step_terms
const step_terms = (nu, t) => { t[0] = -Math.SQRT1_2 * inverseSpread(nu); };
//: step_smooth
const step_smooth = (mu, t) => 0.5 * erfc(mu * t[0]);
//: relu_value
const relu_value = (z) => z > 0 ? z : z - z;
//: relu_terms
const relu_terms = (nu, t) => {
  t[0] = Math.SQRT1_2 * inverseSpread(nu);
  t[1] = 0.39894228040143268 * nu;
};
//: relu_smooth
const relu_smooth = (mu, t) => {
  const z = mu * t[0];
  return t[1] * Math.exp(-z * z) + 0.5 * mu * erfc(-z);
};
//: leaky_relu_value
const leaky_relu_value = (z) => z > 0 ? z : 0.01 * z;
//: leaky_relu_terms
const leaky_relu_terms = (nu, t) => relu_terms(nu, t);
//: leaky_relu_smooth
const leaky_relu_smooth = (mu, t) => 0.01 * mu + 0.99 * relu_smooth(mu, t);
//: abs_value
const abs_value = (z) => Math.abs(z);
//: abs_terms
const abs_terms = (nu, t) => {
  t[0] = Math.SQRT1_2 * inverseSpread(nu);
  t[1] = 0.79788456080286536 * nu;
};
//: abs_smooth
const abs_smooth = (mu, t) => {
  const z = mu * t[0];
  return t[1] * Math.exp(-z * z) + mu * erf(z);
};
//: identity_value
const identity_value = (z) => z;
//: identity_terms
const identity_terms = () => {};
//: identity_smooth
const identity_smooth = (mu) => mu;
//: square_value
const square_value = (z) => z * z;
//: square_terms
const square_terms = (nu, t) => { t[0] = nu * nu; };
//: square_smooth
const square_smooth = (mu, t) => mu * mu + t[0];
//: cos_value
const cos_value = (z) => Math.cos(z);
//: cos_terms
const cos_terms = (nu, t) => { t[0] = Math.exp(-0.5 * nu * nu); };
//: cos_smooth
const cos_smooth = (mu, t) => t[0] * Math.cos(mu);
//: sin_value
const sin_value = (z) => Math.sin(z);
//: sin_terms
const sin_terms = (nu, t) => { t[0] = Math.exp(-0.5 * nu * nu); };
//: sin_smooth
const sin_smooth = (mu, t) => t[0] * Math.sin(mu);
//: erf_value
const erf_value = (z) => erf(z);
//: erf_terms
const erf_terms = (nu, t) => { t[0] = 1 / Math.sqrt(1 + 2 * nu * nu); };
//: erf_smooth
const erf_smooth = (mu, t) => erf(mu * t[0]);
//: gaussian_value
const gaussian_value = (z) => Math.exp(-0.5 * z * z);
//: gaussian_terms
const gaussian_terms = (nu, t) => {
  t[0] = -0.5 / (1 + nu * nu);
  t[1] = 1 / Math.sqrt(1 + nu * nu);
};
//: gaussian_smooth
const gaussian_smooth = (mu, t) => t[1] * Math.exp(mu * mu * t[0]);

//: learned
/** Sums of bumps on an even grid: count, first, step, width, degree, coefficients. */
const learned = @learned@;

//: rbf_terms
function rbf_terms(nu, t) {
  const width = learned[t[2]][3];
  const wide = Math.hypot(width, nu);
  t[0] = -0.5 / (wide * wide);
  t[1] = width / wide;
}
//: rbf_smooth
function rbf_smooth(mu, t) {
  const [count, first, step, , , coefficients] = learned[t[2]];
  let sum = 0;
  for (let k = 0; k < count; ++k) {
    const far = mu - (first + step * k);
    sum += parameters[coefficients + k] * (t[1] * Math.exp(far * far * t[0]));
  }
  return sum;
}
//: rbf_value
function rbf_value(z, t) {
  const terms = [0, 0, t[2]];
  rbf_terms(0, terms);
  return rbf_smooth(z, terms);
}

//: splineAt
/** Sum of B-splines at s knot intervals from the first knot (Cox and de Boor). */
function splineAt(h, s) {
  const [count, , , , degree, coefficients] = learned[h];
  if (!(s >= 0) || !(s < count + degree)) return 0;
  const cell = Math.floor(s);
  const values = [1];
  for (let m = 1; m <= degree; ++m) {
    let carried = 0;
    for (let j = 0; j < m; ++j) {
      const shared = values[j] / m;
      values[j] = carried + (j + 1 - (s - cell)) * shared;
      carried = ((s - cell) + (m - 1 - j)) * shared;
    }
    values[m] = carried;
  }
  let sum = 0;
  for (let j = 0; j <= degree; ++j) {
    const i = cell - degree + j;
    if (i >= 0 && i < count) sum += parameters[coefficients + i] * values[j];
  }
  return sum;
}

//: bsplineWide
/** Far wider than a cell, the normal law is integrated by five nodes of Gauss and Legendre per cell. */
function bsplineWide(h, s, spread, from, to) {
  const nodes = [0.046910077030668, 0.23076534494715845, 0.5, 0.76923465505284155, 0.953089922969332];
  const weights =
      [0.11846344252809454, 0.23931433524968324, 0.28444444444444444, 0.23931433524968324, 0.11846344252809454];
  let sum = 0;
  for (let k = from; k <= to + learned[h][4]; ++k)
    for (let j = 0; j < 5; ++j) {
      const far = (k + nodes[j] - s) / spread;
      sum += weights[j] * splineAt(h, k + nodes[j]) * Math.exp(-0.5 * far * far);
    }
  return sum / (spread * 2.5066282746310005);
}

//: bsplineNarrow
/** By the recursion of Cox and de Boor and E[z f(z)] = mu E[f] + nu^2 E[f']. */
function bsplineNarrow(h, s, spread, from, to) {
  const [, , , , degree, coefficients] = learned[h];
  const knots = to - from + 1 + degree + 1;
  let below = [];
  let level = [];
  let last = 0;
  s -= from;
  for (let k = 0; k < knots; ++k) {
    const z = (k - s) / spread;
    const next = erf(z * Math.SQRT1_2);
    below.push(Math.exp(-0.5 * z * z) / (spread * 2.5066282746310005));
    if (k > 0) level.push(0.5 * (next - last));
    last = next;
  }
  for (let m = 1; m <= degree; ++m) {
    const above = [];
    for (let k = 0; k < knots - m - 1; ++k)
      above.push(((s - k) * level[k] + (k + m + 1 - s) * level[k + 1] +
                  spread * spread * (below[k] - 2 * below[k + 1] + below[k + 2])) / m);
    [below, level] = [level, above];
  }
  let sum = 0;
  for (let k = 0; k <= to - from; ++k) sum += parameters[coefficients + from + k] * level[k];
  return sum;
}

//: bspline_terms
const bspline_terms = (nu, t) => { t[0] = nu / learned[t[2]][2]; };
//: bspline_smooth
function bspline_smooth(mu, t) {
  const [count, first, step, , degree] = learned[t[2]];
  const s = (mu - first) / step;
  const spread = t[0];
  if (spread === 0 || !Number.isFinite(s)) return splineAt(t[2], s);
  const cell = (z) => Math.floor(Math.min(Math.max(z, 0), count + degree));
  const from = Math.max(0, cell(s - 9 * spread) - degree);
  const to = Math.min(count - 1, cell(s + 9 * spread));
  if (from > to) return 0;
  return spread > 3 ? bsplineWide(t[2], s, spread, from, to) : bsplineNarrow(t[2], s, spread, from, to);
}
//: bspline_value
const bspline_value = (z, t) => splineAt(t[2], (z - learned[t[2]][1]) / learned[t[2]][2]);
