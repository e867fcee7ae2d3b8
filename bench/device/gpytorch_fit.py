"""Exact Gaussian process regression by GPyTorch beside `weft train --device gpu`, on the same rows: errors, then times.

    gpytorch_fit.py WEFT TABLE.csv.gz [TRAINING_ROWS]

GPyTorch has a Matern kernel (3/2) with a length scale per input and Adam on the marginal likelihood, with the error on the
test rows after every tenth step, so that the time can be read at which its error is weft's.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import gpytorch
import numpy as np
import pandas as pd
import torch

weft, path = sys.argv[1:3]
most = int(sys.argv[3]) if len(sys.argv) > 3 else 20000
table = pd.read_csv(path).sample(frac=1, random_state=1).select_dtypes("number").dropna()
most = min(most, len(table) * 4 // 5)
train, test = table[:most], table[most:most + 10000]


def ours():
    with tempfile.TemporaryDirectory() as folder:
        files = [str(pathlib.Path(folder) / name) for name in ("train.csv", "test.csv")]
        train.to_csv(files[0], index=False)
        test.to_csv(files[1], index=False)
        for options in ([], ["--fit", "local"]):
            for device in ("gpu", "cpu"):
                start = time.perf_counter()
                done = subprocess.run([weft, "train", files[0], "--test", files[1], "--target", "target", "--device", device,
                                       "--json", *options], capture_output=True, text=True)
                seconds = time.perf_counter() - start
                if done.returncode != 0:
                    print("weft", *options, device, done.stderr.strip()[-300:])
                    continue
                print(f"weft train {' '.join(options)} --device {device}: error {1 - json.loads(done.stdout)['test']['r2']:.4f}, {seconds:.2f} s", flush=True)


class Exact(gpytorch.models.ExactGP):
    def __init__(self, x, y, likelihood):
        super().__init__(x, y, likelihood)
        self.mean_module = gpytorch.means.ConstantMean()
        self.covar_module = gpytorch.kernels.ScaleKernel(gpytorch.kernels.MaternKernel(nu=1.5, ard_num_dims=x.shape[1]))

    def forward(self, x):
        return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))


def theirs(steps=100):
    # What weft does to inputs by default helps here as well: ranks.
    x, z = [t.drop(columns="target").to_numpy(float) for t in (train, test)]
    columns = [np.unique(x[:, j]) for j in range(x.shape[1])]
    scaled = [np.stack([np.interp(a[:, j], c, np.linspace(-1.7, 1.7, len(c))) if len(c) > 1 else 0 * a[:, j] for j, c in enumerate(columns)], 1)
              for a in (x, z)]
    y, y_test = train["target"].to_numpy(float), test["target"].to_numpy(float)
    shift, scale = y.mean(), y.std()
    put = lambda a: torch.tensor(a, dtype=torch.float32, device="cuda")
    start = time.perf_counter()
    x, z, y = put(scaled[0]), put(scaled[1]), put((y - shift) / scale)
    likelihood = gpytorch.likelihoods.GaussianLikelihood().cuda()
    model = Exact(x, y, likelihood).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    objective = gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)
    spent = 0.0
    for step in range(1, steps + 1):
        model.train(), likelihood.train()
        optimizer.zero_grad()
        loss = -objective(model(x), y)
        loss.backward()
        optimizer.step()
        torch.cuda.synchronize()
        if step % 10 == 0:
            fitted = time.perf_counter() - start - spent
            model.eval(), likelihood.eval()
            measuring = time.perf_counter()
            with torch.no_grad(), gpytorch.settings.fast_pred_var():
                predicted = torch.cat([model(part).mean for part in z.split(2000)]).cpu().numpy() * scale + shift
            error = np.mean((predicted - y_test) ** 2) / np.var(y_test)
            print(f"gpytorch {gpytorch.__version__}, {step} steps: error {error:.4f}, {fitted:.2f} s", flush=True)
            spent += time.perf_counter() - measuring


print(pathlib.Path(path).name, f"{len(train)} training rows, {len(test)} test rows", flush=True)
ours()
theirs()
