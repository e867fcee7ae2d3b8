"""Kernels of BLAS: NumPy may have loaded OpenBLAS before weft, with kernels that weft would not choose."""
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest
from conftest import wave

FIT = """
import os, sys
import numpy as np
np.ones((2, 2)) @ np.ones((2, 2))
os.environ.pop("OPENBLAS_CORETYPE", None)  # weft would respect it
import weft
{before}
data = np.load(sys.argv[1])
np.save(sys.argv[2], weft.RandomFeatureRegressor(n_features=150).fit(data["X"], data["y"]).predict(data["X"]))
"""


def predictions(folder, name, core, before=""):
    """Of a fit in a process where NumPy has made OpenBLAS choose the kernels of `core`."""
    environment = {key: value for key, value in os.environ.items() if key != "OPENBLAS_CORETYPE"}
    if core:
        environment["OPENBLAS_CORETYPE"] = core
    out = folder / f"{name}.npy"
    done = subprocess.run([sys.executable, "-c", FIT.format(before=before), str(folder / "data.npz"), str(out)], env=environment,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return np.load(out)


@pytest.fixture
def folder(tmp_path):
    X, y = wave(1500)
    np.savez(tmp_path / "data.npz", X=X, y=y)
    return tmp_path


def better_core():
    """What weft takes where OpenBLAS knows nothing of this processor (better_core in src/compute/cpu/blas_library.cpp)."""
    info = pathlib.Path("/proc/cpuinfo").read_text()
    flags = set(re.search(r"^flags\s*:(.*)$", info, re.MULTILINE)[1].split())
    if {"avx512f", "avx512dq", "avx512bw", "avx512vl"} <= flags:
        return "SkylakeX"
    if not {"avx2", "fma"} <= flags:
        pytest.skip("a processor without AVX2 has no better kernels")
    return "Haswell" if "GenuineIntel" in info else "Zen"


def test_kernels_do_not_depend_on_what_numpy_loaded(folder):
    assert np.array_equal(predictions(folder, "old", "Prescott"), predictions(folder, "better", better_core()))


def test_fixed_kernels_are_had_beside_other_ones(folder):
    with_haswell = predictions(folder, "haswell", "Haswell", "weft.use_fixed_kernels()")
    assert np.array_equal(predictions(folder, "fixed", "Prescott", "weft.use_fixed_kernels()"), with_haswell)
