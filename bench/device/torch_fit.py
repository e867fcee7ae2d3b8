"""Random features and least squares as people write them in PyTorch, on the problem of bench_fits: the same generated
table, relu features, blocks of rows from the host's memory, A.T @ A, linalg.solve for one lambda.

    torch_fit.py ROWS FEATURES [INPUTS]
"""
import sys
import time

import torch

rows, features = int(sys.argv[1]), int(sys.argv[2])
inputs = int(sys.argv[3]) if len(sys.argv) > 3 else 100
block = 65536
torch.manual_seed(0)
x = torch.rand(rows, inputs, dtype=torch.float64)
y = (10 * torch.sin(3.14159 * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]).unsqueeze(1)


def fit(rows):
    start = time.perf_counter()
    mean, deviation = x[:rows].mean(0), x[:rows].std(0)
    weights = torch.randn(inputs, features, dtype=torch.float64, device="cuda")
    bias = torch.randn(features, dtype=torch.float64, device="cuda")
    mean, deviation = mean.cuda(), deviation.cuda()
    gram = torch.zeros(features, features, dtype=torch.float64, device="cuda")
    cross = torch.zeros(features, 1, dtype=torch.float64, device="cuda")
    for first in range(0, rows, block):
        a = torch.relu(((x[first:first + block].cuda() - mean) / deviation) @ weights + bias)
        gram += a.T @ a
        cross += a.T @ y[first:first + block].cuda()
    gram.diagonal().add_(1e-3 * rows)
    solution = torch.linalg.solve(gram, cross).cpu()
    return time.perf_counter() - start, solution


fit(min(rows, block))
seconds, _ = fit(rows)
print(f"torch {torch.__version__}, {rows} rows x {inputs} inputs, T = {features}: one lambda, {seconds:.2f} s")
