"""scikit-learn's lasso, and the comparison of both: every duality gap here is computed from Φ itself.

Usage: sklearn_lasso.py FOLDER TOLERANCE CAP < lines of bench_weft_lasso
Objective: (1/2m)|Φa - y|² + λ|a|₁ about the means. Both stop at gap <= TOLERANCE · |y|²/2m. A fit of scikit-learn that
takes more than CAP seconds of processor time is ended.
"""
import os
import resource
import sys
import time
import warnings

import numpy as np
from sklearn.linear_model import Lasso

folder, tolerance, cap = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
warnings.simplefilter("ignore")  # convergence is checked by the gap below
phi = np.load(f"{folder}/phi.npy").T  # rows × T, columns contiguous: the layout that scikit-learn works on
phi -= phi.mean(axis=0)
y = np.load(f"{folder}/y.npy")[0]
y -= y.mean()
m = len(y)


def relative_gap(a, lam):
    """The duality gap at a in units of the objective at a = 0."""
    r = y - phi @ a
    g = phi.T @ r
    s = np.clip(r @ y / (r @ r), -m * lam / abs(g).max(), m * lam / abs(g).max())
    gap = 0.5 * (r @ r) * (1 - s) ** 2 + (m * lam * abs(a) - s * g * a).sum()
    return gap / (0.5 * (y @ y))


def objective(a, lam):
    r = y - phi @ a
    return r @ r / (2 * m) + lam * abs(a).sum()


def capped_fit(lam, precompute):
    """Coefficients and seconds of processor time; the coefficients are None where the cap ended the fit."""
    answer = f"{folder}/sklearn.npz"
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (cap + 1, cap + 5))  # a forked process counts from zero
        start = time.process_time()
        # Its tolerance is in units of |y|², ours of |y|²/2.
        model = Lasso(alpha=lam, fit_intercept=False, precompute=precompute, copy_X=False, max_iter=10**8,
                      tol=tolerance / 2)
        model.fit(phi, y, check_input=False)
        np.savez(answer, a=model.coef_, seconds=time.process_time() - start)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status != 0:
        return None, cap
    with np.load(answer) as found:
        return found["a"], float(found["seconds"])


start = time.process_time()
gram = phi.T @ phi
gram_seconds = time.process_time() - start
print(f"m = {m}, T = {phi.shape[1]}, tolerance {tolerance:g}; Gram: numpy {gram_seconds:.2f} s\n")
print("| λ/λmax | weft gap, non-zeros | weft: Gram given, with Gram, s | sklearn on Φ, s (gap) | sklearn on Gram, s (gap) |"
      " Φ / weft with Gram | Gram / weft, Gram given | with Gram each |")
print("|---|---|---|---|---|---|---|---|")
lambda_max = abs(phi.T @ y).max() / m
failed = False
for k, line in enumerate(sys.stdin):
    lam, seconds, weft_gram, nonzeros = (float(word) for word in line.split())
    a = np.load(f"{folder}/weft{k}.npy")[0]
    gap = relative_gap(a, lam)
    failed |= not gap <= 1.01 * tolerance
    cells, times = [], []
    for precompute in (False, gram):
        b, took = capped_fit(lam, precompute)
        if b is None:
            cells.append(f"> {took:.0f} (ended)")
        else:
            their_gap = relative_gap(b, lam)
            cells.append(f"{took:.3f} ({their_gap:.1e})")
            # Two points within their gaps of the one minimum cannot be farther apart than that.
            apart = abs(objective(a, lam) - objective(b, lam)) / (y @ y / (2 * m))
            failed |= not apart <= 1.01 * (gap + their_gap) + 1e-12
        times.append((">" if b is None else "", took))
    whole = seconds + weft_gram
    ratios = [f"{mark}{took / ours:.1f}" for (mark, took), ours in
              zip(times + [(times[1][0], times[1][1] + gram_seconds)], (whole, seconds, whole))]
    print(f"| {lam / lambda_max:.0e} | {gap:.1e}, {nonzeros:.0f} | {seconds:.4f}, {whole:.3f} | {cells[0]} | {cells[1]} |"
          f" {ratios[0]} | {ratios[1]} | {ratios[2]} |", flush=True)
if failed:
    sys.exit("ANSWERS DIFFER, or a gap is larger than asked for")
