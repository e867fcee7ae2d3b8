//: activations
static const struct {
  void (*terms)(double, double*);
  double (*value)(double, const double*);
  int table;
} activations[] = @activations@;

//: groups
/* Features h(<w, x> + b) of some columns, smoothed with the spread times |x|; stumps: h(x + b). */
static const struct {
  int activation;
  double spread;
  int axis, columns, width, count, weights, offsets, coefficients;
} groups[] = @groups@;

//: add_features
@local@ void add_features(int g, const double* x, double* f) {
[group_columns]  const int* columns_of = groups[g].columns < 0 ? NULL : integers + groups[g].columns;
[!group_columns]  const int* columns_of = NULL;
  const double *w = parameters + groups[g].weights, *a = parameters + groups[g].coefficients;
  double t[3], square = 0, mu, phi;
  const int width = groups[g].width, h = groups[g].activation;
  int k, j, o;
  for (j = 0; j < width; ++j) square += x[columns_of ? columns_of[j] : j] * x[columns_of ? columns_of[j] : j];
  t[0] = t[1] = 0;
  t[2] = activations[h].table;
  activations[h].terms(groups[g].axis ? groups[g].spread : groups[g].spread * sqrt(square), t);
  for (k = 0; k < groups[g].count; ++k) {
    mu = groups[g].axis ? x[columns_of ? *columns_of : 0] : 0;
    for (j = 0; j < width && !groups[g].axis; ++j) mu += *w++ * x[columns_of ? columns_of[j] : j];
    if (groups[g].offsets >= 0) mu += parameters[groups[g].offsets + k];
    phi = activations[h].value(mu, t);
    for (o = 0; o < SCORES; ++o) f[o] += *a++ * phi;
  }
}

//: decay
/* exp(-(rate d)^power). */
@local@ double decay(double d, double rate, double power) {
  const double u = rate * d;
  return exp(-(power == 1 ? u : power == 0.5 ? sqrt(u) : pow(u, power)));
}
//: kernel_laplace
@local@ double kernel_laplace(const double* z, const double* x, int width, double rate, double power) {
  double d = 0;
  int j;
  for (j = 0; j < width; ++j) d += fabs(z[j] - x[j]);
  return decay(d, rate, power);
}
//: kernel_rbf
@local@ double kernel_rbf(const double* z, const double* x, int width, double rate, double power) {
  double d = 0;
  int j;
  for (j = 0; j < width; ++j) d += (z[j] - x[j]) * (z[j] - x[j]);
  return decay(d, rate, power);
}
//: kernel_angular
@local@ double kernel_angular(const double* z, const double* x, int width, double rate, double power) {
  double zz = 0, xx = 0, zx = 0, norms, cosine;
  int j;
  (void)rate;
  (void)power;
  for (j = 0; j < width; ++j) {
    zz += z[j] * z[j];
    xx += x[j] * x[j];
    zx += z[j] * x[j];
  }
  norms = sqrt(zz) * sqrt(xx);
  if (!(norms > 0)) return 0;
  if (fabs(zx - zz) <= 1e-14 * zz && fabs(zx - xx) <= 1e-14 * xx) return 1;
  cosine = zx / norms;
  return 0.63661977236758134 * asin(cosine > 1 ? 1 : cosine < -1 ? -1 : cosine);
}
//: kernels
static const struct {
  double (*value)(const double*, const double*, int, double, double);
  double rate, power;
} kernels[] = @kernels@;

//: sections
/* Kernel values between a row and landmarks. */
static const struct { int kernel, landmarks, width, positions, count, coefficients; } sections[] = @sections@;

//: add_sections
@local@ void add_sections(int s, const double* x, double* f) {
  const double *rows = parameters + sections[s].landmarks, *a = parameters + sections[s].coefficients;
  const int width = sections[s].width, k = sections[s].kernel;
  int t, o;
  for (t = 0; t < sections[s].count; ++t) {
    const int row = sections[s].positions < 0 ? t : (int)parameters[sections[s].positions + t];
    const double value = kernels[k].value(rows + (size_t)row * (size_t)width, x, width, kernels[k].rate, kernels[k].power);
    for (o = 0; o < SCORES; ++o) f[o] += *a++ * value;
  }
}

//: leaves
static const struct { int intercepts, first_group, group_count, section; } leaves[] = @leaves@;

//: score_leaf
@local@ void score_leaf(int leaf, const double* x, double* f) {
  int k;
  (void)x;
  for (k = 0; k < SCORES; ++k) f[k] = parameters[leaves[leaf].intercepts + k];
[groups]  for (k = 0; k < leaves[leaf].group_count; ++k) add_features(leaves[leaf].first_group + k, x, f);
[sections]  if (leaves[leaf].section >= 0) add_sections(leaves[leaf].section, x, f);
}

//: members
/* The model is their weighted sum: a tree of splits with a linear model per leaf, of transformed inputs. */
static const struct { double weight; int columns, count, factors, matrix, inputs, root; } members[] = @members@;
enum { MEMBERS = @member_count@ };

//: transforms_inputs
/* The inputs of a member: columns times factors, then a matrix. */
@local@ const double* transforms_inputs(int m, const double* x, double* chosen, double* own) {
  const int count = members[m].count;
  int j, k;
  if (members[m].columns < 0 && members[m].factors < 0 && members[m].matrix < 0) return x;
  for (j = 0; j < count; ++j)
[member_columns]    chosen[j] = x[members[m].columns < 0 ? j : integers[members[m].columns + j]] *
[!member_columns]    chosen[j] = x[j] *
                (members[m].factors < 0 ? 1 : parameters[members[m].factors + j]);
  if (members[m].matrix < 0) return chosen;
  for (k = 0; k < members[m].inputs; ++k) {
    own[k] = 0;
    for (j = 0; j < count; ++j) own[k] += parameters[members[m].matrix + k * count + j] * chosen[j];
  }
  return own;
}

//: splits
/* x[input] <= threshold goes below; a child below 0 is leaf -1 - child. */
static const struct { int input; double threshold; int below, above; } splits[] = @splits@;

//: leaf_of
@local@ int leaf_of(int node, const double* x) {
  while (node >= 0) node = x[splits[node].input] <= splits[node].threshold ? splits[node].below : splits[node].above;
  return -1 - node;
}

//: log_sigmoid
@local@ double log_sigmoid(double z) {
  return z >= 0 ? -log1p(exp(-z)) : z - log1p(exp(z));
}
//: log_odds
@local@ double log_odds(const double* f, int k) {
[calibrated]  return -(parameters[@slopes@ + k] * f[k] + parameters[@slopes@ + SCORES + k]);
[!calibrated]  return f[k];
}
//: link_numbers
@local@ void link_numbers(const double* f, double* out) {
  int k;
  for (k = 0; k < SCORES; ++k) out[k] = f[k];
}
//: link_poisson
@local@ void link_poisson(const double* f, double* out) {
  int k;
  for (k = 0; k < SCORES; ++k) out[k] = exp(f[k]);
}
//: link_quantiles
/* In ascending order. */
@local@ void link_quantiles(const double* f, double* out) {
  int k, j;
  for (k = 0; k < SCORES; ++k) {
    for (j = k; j > 0 && out[j - 1] > f[k]; --j) out[j] = out[j - 1];
    out[j] = f[k];
  }
}
//: link_binary
@local@ void link_binary(const double* f, double* out) {
  out[0] = f[0] > 0 ? 1 : 0;
}
//: link_binary_probabilities
@local@ void link_binary_probabilities(const double* f, double* out) {
  const double odds = log_odds(f, 0);
  out[1] = exp(log_sigmoid(-odds));
  out[2] = exp(log_sigmoid(odds));
[threshold]  out[0] = out[2] >= @threshold@ ? 1 : 0;
[!threshold]  out[0] = f[0] > 0 ? 1 : 0;
}
//: link_multiclass
@local@ void link_multiclass(const double* f, double* out) {
  int k, best = 0;
  for (k = 1; k < SCORES; ++k)
    if (f[best] < f[k]) best = k;
  out[0] = best;
}
//: link_multiclass_probabilities
/* Softmax of the logits, or of the logarithms of the calibrated probabilities of each class against the rest. */
@local@ void link_multiclass_probabilities(const double* f, double* out) {
  double largest = -INFINITY, sum = 0;
  int k;
  link_multiclass(f, out);
  for (k = 0; k < SCORES; ++k) {
[calibrated]    out[k + 1] = log_sigmoid(log_odds(f, k));
[!calibrated]    out[k + 1] = f[k];
    if (out[k + 1] > largest) largest = out[k + 1];
  }
  for (k = 1; k <= SCORES; ++k) sum += out[k] = exp(out[k] - largest);
  for (k = 1; k <= SCORES; ++k) out[k] /= sum;
}

//: *
/* Names of the columns, of what is predicted and, for classes, of their labels. */
@data@ @prefix@columns[] = @column_names@;
@data@ @prefix@outputs[] = @output_names@;
//: * [classes]
@data@ @prefix@classes[] = @classes@;

//: *
@api@ int @prefix@predict(const double* numbers, const char* const* texts, double* out);
@api@ int @prefix@predict(const double* numbers, const char* const* texts, double* out) {
  double x[MOST_INPUTS], f[SCORES], own[SCORES];
[transforms]  double chosen[MOST_INPUTS], transformed[MOST_INPUTS];
  int k, m;
  const int unusable = encode(numbers, texts, x);
[file]  if (!loaded) return -1;
  if (unusable) return unusable;
  for (k = 0; k < SCORES; ++k) f[k] = parameters[@intercepts@ + k];
  for (m = 0; m < MEMBERS; ++m) {
[transforms]    const double* z = transforms_inputs(m, x, chosen, transformed);
[!transforms]    const double* z = x;
[splits]    score_leaf(leaf_of(members[m].root, z), z, own);
[!splits]    score_leaf(-1 - members[m].root, z, own);
    for (k = 0; k < SCORES; ++k) f[k] += members[m].weight * own[k];
  }
  @link@(f, out);
[interval]  for (k = 0; k < SCORES; ++k) {
[interval]    out[SCORES + k] = out[k] + parameters[@ends@ + k];
[counts]    if (out[SCORES + k] < 0) out[SCORES + k] = 0;
[interval]    out[2 * SCORES + k] = out[k] + parameters[@ends@ + SCORES + k];
[interval]  }
  return 0;
}
