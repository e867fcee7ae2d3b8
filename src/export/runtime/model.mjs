//: activations
/** terms, value, learned */
const activations = @activations@;

//: groups
/** Features h(<w, x> + b) of some columns, smoothed with the spread times |x|; stumps: h(x + b). */
const groups = @groups@;

//: addFeatures
function addFeatures(group, x, f) {
  const [h, spread, axis, columnsAt, width, count, weights, offsets, coefficients] = group;
  const [terms, value, table] = activations[h];
  let z = x;
[group_columns]  if (columnsAt >= 0) z = integers.slice(columnsAt, columnsAt + width).map((j) => x[j]);
  let square = 0;
  for (let j = 0; j < width; ++j) square += z[j] * z[j];
  const t = [0, 0, table];
  terms(axis ? spread : spread * Math.sqrt(square), t);
  for (let k = 0; k < count; ++k) {
    let mu = axis ? z[0] : 0;
    for (let j = 0; j < width && !axis; ++j) mu += parameters[weights + k * width + j] * z[j];
    if (offsets >= 0) mu += parameters[offsets + k];
    const phi = value(mu, t);
    for (let o = 0; o < f.length; ++o) f[o] += parameters[coefficients + k * f.length + o] * phi;
  }
}

//: decay
/** exp(-(rate d)^power). */
function decay(d, rate, power) {
  const u = rate * d;
  return Math.exp(-(power === 1 ? u : power === 0.5 ? Math.sqrt(u) : Math.pow(u, power)));
}
//: kernel_laplace
function kernel_laplace(z, x, width, rate, power) {
  let d = 0;
  for (let j = 0; j < width; ++j) d += Math.abs(parameters[z + j] - x[j]);
  return decay(d, rate, power);
}
//: kernel_rbf
function kernel_rbf(z, x, width, rate, power) {
  let d = 0;
  for (let j = 0; j < width; ++j) d += (parameters[z + j] - x[j]) * (parameters[z + j] - x[j]);
  return decay(d, rate, power);
}
//: kernel_angular
function kernel_angular(z, x, width) {
  let zz = 0;
  let xx = 0;
  let zx = 0;
  for (let j = 0; j < width; ++j) {
    const value = parameters[z + j];
    zz += value * value;
    xx += x[j] * x[j];
    zx += value * x[j];
  }
  const norms = Math.sqrt(zz) * Math.sqrt(xx);
  if (!(norms > 0)) return 0;
  if (Math.abs(zx - zz) <= 1e-14 * zz && Math.abs(zx - xx) <= 1e-14 * xx) return 1;
  return 0.63661977236758134 * Math.asin(Math.min(1, Math.max(-1, zx / norms)));
}
//: kernels
/** value, rate, power */
const kernels = @kernels@;

//: sections
/** Kernel values between a row and landmarks. */
const sections = @sections@;

//: addSections
function addSections(section, x, f) {
  const [kernel, landmarks, width, positions, count, coefficients] = section;
  const [value, rate, power] = kernels[kernel];
  for (let t = 0; t < count; ++t) {
    const row = positions < 0 ? t : parameters[positions + t];
    const k = value(landmarks + row * width, x, width, rate, power);
    for (let o = 0; o < f.length; ++o) f[o] += parameters[coefficients + t * f.length + o] * k;
  }
}

//: leaves
const leaves = @leaves@;

//: scoreLeaf
function scoreLeaf(leaf, x) {
  const [intercepts, firstGroup, groupCount, section] = leaves[leaf];
  const f = parameters.slice(intercepts, intercepts + @scores@);
[groups]  for (let k = 0; k < groupCount; ++k) addFeatures(groups[firstGroup + k], x, f);
[sections]  if (section >= 0) addSections(sections[section], x, f);
  return f;
}

//: splits
/** x[input] <= threshold goes below; a child below 0 is leaf -1 - child. */
const splits = @splits@;

//: leafOf
function leafOf(node, x) {
  while (node >= 0) {
    const [input, threshold, below, above] = splits[node];
    node = x[input] <= threshold ? below : above;
  }
  return -1 - node;
}

//: transformed
/** The inputs of a member: columns times factors, then a matrix. */
function transformed(member, x) {
  const [, columnsAt, count, factors, matrix, inputs] = member;
  if (columnsAt < 0 && factors < 0 && matrix < 0) return x;
  const chosen = new Float64Array(count);
  for (let j = 0; j < count; ++j) {
[member_columns]    const value = x[columnsAt < 0 ? j : integers[columnsAt + j]];
[!member_columns]    const value = x[j];
    chosen[j] = value * (factors < 0 ? 1 : parameters[factors + j]);
  }
  if (matrix < 0) return chosen;
  const own = new Float64Array(inputs);
  for (let k = 0; k < inputs; ++k)
    for (let j = 0; j < count; ++j) own[k] += parameters[matrix + k * count + j] * chosen[j];
  return own;
}

//: members
/** weight, columns, count, factors, matrix, inputs, root: the model is their weighted sum. */
const members = @members@;

//: scores
function scores(x) {
  const f = parameters.slice(@intercepts@, @intercepts@ + @scores@);
  for (const member of members) {
[transforms]    const z = transformed(member, x);
[!transforms]    const z = x;
[splits]    const own = scoreLeaf(leafOf(member[6], z), z);
[!splits]    const own = scoreLeaf(-1 - member[6], z);
    for (let k = 0; k < f.length; ++k) f[k] += member[0] * own[k];
  }
  return f;
}

//: logSigmoid
function logSigmoid(z) {
  return z >= 0 ? -Math.log1p(Math.exp(-z)) : z - Math.log1p(Math.exp(z));
}
//: logOdds
function logOdds(f, k) {
[calibrated]  return -(parameters[@slopes@ + k] * f[k] + parameters[@slopes@ + @scores@ + k]);
[!calibrated]  return f[k];
}
//: link_numbers
const link_numbers = (f) => Array.from(f);
//: link_poisson
const link_poisson = (f) => Array.from(f, Math.exp);
//: link_quantiles
const link_quantiles = (f) => Array.from(f).sort((a, b) => a - b);
//: link_binary
const link_binary = (f) => [f[0] > 0 ? 1 : 0];
//: link_binary_probabilities
function link_binary_probabilities(f) {
  const odds = logOdds(f, 0);
  const p = Math.exp(logSigmoid(odds));
[threshold]  return [p >= @threshold@ ? 1 : 0, Math.exp(logSigmoid(-odds)), p];
[!threshold]  return [f[0] > 0 ? 1 : 0, Math.exp(logSigmoid(-odds)), p];
}
//: link_multiclass
function link_multiclass(f) {
  let best = 0;
  for (let k = 1; k < f.length; ++k) if (f[best] < f[k]) best = k;
  return [best];
}
//: link_multiclass_probabilities
/** Softmax of the logits, or of the logarithms of the calibrated probabilities of each class against the rest. */
function link_multiclass_probabilities(f) {
[calibrated]  const logits = Array.from(f, (_, k) => logSigmoid(logOdds(f, k)));
[!calibrated]  const logits = Array.from(f);
  const largest = Math.max(...logits);
  const shares = logits.map((logit) => Math.exp(logit - largest));
  const sum = shares.reduce((a, b) => a + b, 0);
  return link_multiclass(f).concat(shares.map((share) => share / sum));
}

//: *
/** Columns of a row, and names of the numbers that values() gives. */
export const columnNames = @column_names@;
export const outputs = @output_names@;
//: * [classes]
/** Labels of the classes. */
export const classes = @classes@;

//: *
/** The numbers that are predicted, in the order of `outputs`; a class is its position in `classes`. */
export function values(row) {
[file]  if (parameters === null) throw new Error("call load() with the bytes of @name@.bin first");
[!interval]  return @link@(scores(encode(row)));
[interval]  const numbers = @link@(scores(encode(row)));
[interval]  const end = (first) => numbers.map((number, k) => number + parameters[@ends@ + first + k]);
[counts]  return [...numbers, ...end(0).map((low) => Math.max(0, low)), ...end(@scores@)];
[numbers_with_ends]  return [...numbers, ...end(0), ...end(@scores@)];
}

/** @predict_comment@ */
export function predict(row) {
[one]  return values(row)[0];
[several]  const numbers = values(row);
[several]  return Object.fromEntries(outputs.map((name, k) => [name, numbers[k]]));
[classes]  const [position, ...shares] = values(row);
[classes]  return {label: classes[position], probabilities: Object.fromEntries(shares.map((p, k) => [classes[k], p]))};
}
