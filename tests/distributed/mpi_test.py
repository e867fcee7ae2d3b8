"""Runs the command under mpirun, against one process: mpi_test.py WEFT"""

import csv
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
from math import sin
from pathlib import Path

WEFT = ""
ROWS = 21000
CUTS = [0, 3000, 9000, 9100, 16000, ROWS]


def write_tables(folder):
    """all.csv, and the same rows in part-0.csv …: numbers, categories, missing cells, targets of both kinds, some missing."""
    draws = random.Random(3)
    effects = {f"s{k}": draws.gauss(0, 1) for k in range(80)}
    lines = []
    for i in range(ROWS):
        x = [draws.gauss(0, 1) for _ in range(5)]
        shop = draws.choice(list(effects))
        y = 10 + 3 * sin(x[0]) + x[1] * x[2] + effects[shop] + 0.1 * draws.gauss(0, 1)
        cells = [repr(v) for v in x]
        if i % 97 == 0:
            cells[3] = ""
        labelled = i % 501 != 0
        lines.append(",".join(cells + [shop, repr(y) if labelled else "", ("yes" if y > 10 else "no") if labelled else ""]))
    header = "a,b,c,d,e,shop,y,k\n"
    (folder / "all.csv").write_text(header + "\n".join(lines) + "\n")
    for part, (first, end) in enumerate(zip(CUTS, CUTS[1:])):
        (folder / f"part-{part}.csv").write_text(header + "\n".join(lines[first:end]) + "\n")
    (folder / "new.csv").write_text(header + "\n".join(lines[:3000]) + "\n")


def environment():
    return {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMP_NUM_THREADS": "1"}


class UnderMpirun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.holder.name)
        write_tables(cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def start(self, processes, *words):
        command = ["mpirun", "--oversubscribe", "-n", str(processes)] if processes else []
        pipe = subprocess.PIPE
        return subprocess.Popen([*command, WEFT, *words], cwd=self.folder, env=environment(), stdout=pipe, stderr=pipe, text=True)

    def weft(self, processes, *words, code=0):
        started = self.start(processes, *words)
        out, err = started.communicate(timeout=300)
        self.assertEqual(started.returncode != 0, code != 0, err)
        return out, err

    def predictions(self, model):
        self.weft(0, "predict", model, "new.csv", "--out", "predictions.csv")
        with (self.folder / "predictions.csv").open() as file:
            return [row for row in csv.reader(file)][1:]

    def expect_same(self, first, second, tolerance=1e-10):
        """Relative to 1, or to the largest number of the column where that is larger: rounding is that of the equations' solution as a whole."""
        one, other = self.predictions(first), self.predictions(second)
        self.assertEqual(len(one), len(other))
        for column, same in zip(zip(*one), zip(*other)):
            if all(re.match(r"[-\d]", cell) for cell in column):
                size = max(1, *(abs(float(cell)) for cell in column))
                self.assertLessEqual(max(abs(float(a) - float(b)) for a, b in zip(column, same)), tolerance * size)
            else:
                self.assertEqual(column, same)

    def bytes_of(self, model):
        """Predictions to the last bit: the file itself has the time of the fit in it."""
        return self.predictions(model)

    def expect_trained_alike(self, *options, patterns=("part-*.csv", "all.csv"), tolerance=1e-10, alone=()):
        """The bits of one process, where the table is the file that it read: statistics of several files are merged, which rounds effects of
        categories and means in another way, and the condition of the equations multiplies that."""
        self.weft(0, "train", "all.csv", *options, *alone, "--model", "alone.weft")
        for pattern in patterns:
            for n in (1, 2, 4):
                out, _ = self.weft(n, "train", pattern, *options, "--model", f"{n}.weft")
                self.assertEqual(out.count("model written to"), 1, "one process prints")
            self.expect_same("alone.weft", "1.weft", tolerance if pattern != "all.csv" else 0)
            self.assertEqual(self.bytes_of("1.weft"), self.bytes_of("2.weft"))
            self.assertEqual(self.bytes_of("1.weft"), self.bytes_of("4.weft"))

    def test_least_squares(self):
        words = ["--target", "y", "--drop", "k", "--features", "150"]
        self.expect_trained_alike(*words, "--lambda", "1e-4", patterns=["part-*.csv"], alone=["--fast"])
        # Columns whose statistics are the same however they are merged.
        exact = ["--target", "y", "--drop", "k,shop,d", "--features", "700"]
        self.expect_trained_alike(*exact, tolerance=0, patterns=["part-*.csv"], alone=["--fast"])
        # The lambda that is chosen leaves a condition of 1e7.
        self.expect_trained_alike(*words, alone=["--fast"])

    def test_classes(self):
        words = ["--target", "k", "--drop", "y", "--features", "80"]
        self.expect_trained_alike(*words, alone=["--fast"])
        self.expect_trained_alike(*words, "--class-weights", "balanced", alone=["--fast"])

    def test_every_process_has_a_gpu_of_its_own(self):
        """Of the two that the host emulates, in turn; with the predictions of the processor."""
        module = Path(WEFT).parent.parent / "lib" / "libweft_cuda_emulated.so"
        if not module.exists():
            self.skipTest(f"there is no emulated GPU: {module}")
        words = ["train", "part-*.csv", "--target", "y", "--drop", "k,shop", "--features", "100", "--lambda", "1e-3"]
        self.weft(2, *words, "--model", "cpu.weft")
        log = self.folder / "devices.log"
        with unittest.mock.patch.dict(os.environ, WEFT_CUDA=str(module), WEFT_EMULATED_GPUS="2", WEFT_EMULATED_LOG=str(log)):
            self.weft(3, *words, "--device", "gpu", "--model", "gpu.weft")
        used = {tuple(line.split()) for line in log.read_text().splitlines()}
        self.assertEqual(len({process for process, _ in used}), 3, used)
        self.assertEqual(sorted(device for _, device in used), ["0", "0", "1"])
        self.expect_same("cpu.weft", "gpu.weft", 1e-9)

    def test_scalapack_has_the_kernels_of_weft(self):
        """With --deterministic they are not those that OpenBLAS chooses, and there is one OpenBLAS in a process all the same."""
        words = ["train", "all.csv", "--target", "y", "--drop", "k,shop", "--features", "600", "--lambda", "1e-3", "--max-memory", "18M"]
        with unittest.mock.patch.dict(os.environ):
            os.environ.pop("OPENBLAS_CORETYPE", None)
            job = self.start(2, *words, "--deterministic", "--json")
        copies, libraries = set(), set()
        while job.poll() is None:
            for child in subprocess.run(["pgrep", "-P", str(job.pid)], capture_output=True, text=True).stdout.split():
                try:
                    mapped = Path(f"/proc/{child}/maps").read_text()
                except OSError:
                    continue
                copies.update(re.findall(r"memfd:openblas", mapped))
                libraries.update(re.findall(r"libopenblas\S*", mapped))
            time.sleep(0.02)
        out, err = job.communicate()
        self.assertEqual(job.returncode, 0, err)
        self.assertEqual(json.loads(out)["report"]["matrices"], "shared out over 2 processes")
        self.assertTrue(libraries)
        self.assertEqual(copies, set())

    def test_groups(self):
        words = ["--target", "y", "--drop", "k", "--group", "shop", "--features", "60"]
        self.expect_trained_alike(*words, patterns=["part-*.csv"], alone=["--fast"])

    def test_lasso(self):
        self.expect_trained_alike("--target", "y", "--drop", "k", "--fit", "lasso", "--features", "100")

    def test_kernels_on_landmarks(self):
        # The equations of an rbf kernel are so ill-conditioned that rounding of the sums moves predictions by 1e-8.
        words = ["--target", "y", "--drop", "k", "--fit", "kernel-ridge", "--landmarks", "100", "--kernel", "laplace", "--lambda", "1e-3"]
        self.expect_trained_alike(*words, patterns=["part-*.csv"])
        self.expect_trained_alike(*words, "--solver", "cg", "--landmark-sampling", "pivoted", patterns=["all.csv"])

    def test_logistic(self):
        self.expect_trained_alike("--target", "k", "--drop", "y", "--fit", "logistic", "--features", "60", patterns=["part-*.csv"])

    def test_other_losses(self):
        words = ["--target", "y", "--drop", "k", "--loss", "huber", "--features", "40"]
        self.expect_trained_alike(*words)

    def test_chosen_features(self):
        words = ["--target", "y", "--drop", "k,shop", "--features", "40", "--sampling", "leverage", "--lambda", "1e-4"]
        self.expect_trained_alike(*words, patterns=["part-*.csv"], alone=["--fast"])

    def test_a_checkpoint_goes_on_with_another_number_of_processes(self):
        for table, sizes in (("part-*.csv", (1, 2, 4)), ("all.csv", (0, 2))):
            words = ["train", table, "--target", "k", "--drop", "y", "--fit", "logistic", "--features", "60", "--iterations", "1"]
            self.weft(3, *words, "--checkpoint", "first.cp")
            for n in sizes:
                shutil.copy(self.folder / "first.cp", self.folder / "next.cp")
                self.weft(n, *words, "--checkpoint", "next.cp", "--resume", "--model", f"{n}.weft")
                self.expect_same(f"{sizes[0]}.weft", f"{n}.weft", 1e-10 if sizes[0] == 0 else 0)
        self.refused([*words, "--checkpoint", "none.cp", "--resume"], "none.cp")

    def expect_same_work(self, *words, sizes=(1, 2, 4)):
        """Work that is shared out gives the bits of one process."""
        self.weft(0, *words, "--model", "alone.weft")
        alone = self.bytes_of("alone.weft")
        for n in sizes:
            out, _ = self.weft(n, *words, "--model", f"{n}.weft")
            self.assertEqual(out.count("model written to"), 1, "one process prints")
            self.assertEqual(self.bytes_of(f"{n}.weft"), alone)

    def test_leaves_are_shared_out(self):
        words = ["train", "new.csv", "--target", "y", "--drop", "k,shop", "--relevance", "1", "--leaf", "300", "--threads", "1"]
        self.expect_same_work(*words, "--fit", "local", sizes=(2, 4))
        self.expect_same_work(*words, "--fit", "portfolio", "--landmarks", "200", "--holdout", "0.1", sizes=[2])

    def test_configurations_are_shared_out(self):
        search = ["part-*.csv", "--target", "k", "--drop", "y,shop", "--configurations", "4", "--folds", "3", "--features", "40"]
        self.expect_same_work("tune", *search, "--family", "rw-relu,rks-cos")
        self.expect_same_work("train", *search, "--auto", "--fast", "--report", "page.html", sizes=[2])
        self.assertTrue((self.folder / "page.html").exists())
        scores = []
        for n in (0, 3):
            report = json.loads(self.weft(n, "tune", *search, "--fit", "logistic", "--json", "--log", f"{n}.jsonl")[0])
            scores.append([(trial["score"], trial["lambda"]) for trial in report["trials"]])
        self.assertEqual(scores[0], scores[1])
        self.assertEqual((self.folder / "3.jsonl").read_text().count("score"), (self.folder / "0.jsonl").read_text().count("score"))

    def test_rows_held_out_and_reports(self):
        words = ["train", "part-*.csv", "--target", "y", "--drop", "k,shop", "--features", "50", "--holdout", "0.2", "--json"]
        alone = json.loads(self.weft(0, *words, "--fast")[0])["test"]
        for n in (1, 2, 4):
            found = json.loads(self.weft(n, *words, "--report", f"{n}.html")[0])["test"]
            self.assertEqual(found["rows"], alone["rows"])
            self.assertAlmostEqual(found["mse"], alone["mse"], places=10)
            self.assertIn("</html>", (self.folder / f"{n}.html").read_text())

    def test_random_features_take_the_place_of_learned_kernels(self):
        words = ["train", "new.csv", "--target", "y", "--drop", "k,shop"]
        self.assertEqual(self.weft(2, *words)[0].count("note: under mpirun random features"), 1)
        self.assertNotIn("note: under", self.weft(2, *words, "--fast")[0] + self.weft(2, *words, "--features", "30")[0])

    def test_matrices_are_shared_out(self):
        """Where the limit is too small for a process to hold the matrices, against a process that holds them."""
        # The λ that is chosen is small enough for the condition of the equations to multiply rounding by 1e8.
        for more, tolerance in (
            (["--lambda", "1e-3"], 1e-10),
            (["--lambda", "1e-3", "--family", "rw-relu"], 1e-10),
            (["--lambda", "1e-3", "--no-intercept"], 1e-10),
            ([], 1e-8),
        ):
            words = ["train", "all.csv", "--target", "y", "--drop", "k,shop", "--features", "600", *more]
            alone = json.loads(self.weft(0, *words, "--fast", "--model", "alone.weft", "--json")[0])["report"]
            for n in (1, 2, 4):
                out, _ = self.weft(n, *words, "--max-memory", "18M", "--model", f"{n}.weft", "--json")
                report = json.loads(out)["report"]
                self.assertEqual(report["matrices"], f"shared out over {n} processes")
                self.assertAlmostEqual(report["lambda"] / alone["lambda"], 1, places=10)
                self.assertAlmostEqual(report["train_mse"], alone["train_mse"], places=8)
                self.expect_same("alone.weft", f"{n}.weft", tolerance)
        words = ["train", "all.csv", "--target", "k", "--drop", "y", "--features", "600", "--max-memory", "18M"]
        out, _ = self.weft(4, *words, "--json")
        self.assertLess(json.loads(out)["train"]["logloss"], 0.4)
        self.refused([*words, "--calibrate"], "--calibrate")

    def test_matrices_of_landmarks_are_shared_out(self):
        words = ["train", "all.csv", "--target", "y", "--drop", "k,shop", "--fit", "kernel-ridge", "--landmarks", "600", "--kernel", "laplace"]
        limit = ["--max-memory", "18M"]
        for more, tolerance in ((["--lambda", "1e-3"], 1e-10), ([], 1e-8)):
            self.weft(0, *words, *more, "--model", "alone.weft")
            for n in (2, 4):
                out, _ = self.weft(n, *words, *more, *limit, "--model", f"{n}.weft", "--json")
                self.assertEqual(json.loads(out)["report"]["matrices"], f"shared out over {n} processes")
                self.expect_same("alone.weft", f"{n}.weft", tolerance)
        iterative = [word.replace("600", "1800") for word in words]
        self.refused([*iterative, "--solver", "cg", *limit], "--landmarks")

    def peak_memory(self, processes, *words):
        """The largest resident memory of any process, in bytes."""
        job = self.start(processes, *words)
        peak = 0
        while job.poll() is None:
            for child in subprocess.run(["pgrep", "-P", str(job.pid)], capture_output=True, text=True).stdout.split():
                try:
                    found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{child}/status").read_text())
                except OSError:
                    continue
                peak = max(peak, 1024 * int(found.group(1)) if found else 0)
            time.sleep(0.02)
        _, err = job.communicate()
        self.assertEqual(job.returncode, 0, err)
        return peak

    def test_nobody_holds_a_whole_matrix(self):
        words = ["train", "new.csv", "--target", "y", "--drop", "k", "--lambda", "1e-3"]
        features, processes = 3000, 4
        little = self.peak_memory(processes, *words, "--features", "600", "--max-memory", "18M")
        much = self.peak_memory(processes, *words, "--features", str(features), "--max-memory", "150M")
        matrices = 3 * 8 * features**2 / processes  # sums of both parts, and the factor
        self.assertLess(much - little, 1.2 * (matrices + 8 * 1024 * features))
        self.assertLess(much - little, 8 * features**2 * 2, "one process would hold five such matrices")

    def test_predict_and_evaluate(self):
        self.weft(0, "train", "all.csv", "--target", "k", "--drop", "y", "--fast", "--features", "60", "--model", "k.weft")
        options = ["--keep", "shop", "--rows", "--proba"]
        self.weft(0, "predict", "k.weft", "all.csv", *options, "--out", "alone.csv")
        alone = (self.folder / "alone.csv").read_text()
        measures = json.loads(self.weft(0, "evaluate", "k.weft", "all.csv", "--json")[0])
        for n, data in ((1, "all.csv"), (2, "part-*.csv"), (3, "all.csv"), (4, "part-*.csv")):
            self.weft(n, "predict", "k.weft", data, *options, "--out", "shared.csv")
            self.assertEqual((self.folder / "shared.csv").read_text(), alone)
            shared = json.loads(self.weft(n, "evaluate", "k.weft", data, "--json")[0])
            for report in (shared, measures):
                report.pop("warnings", None)
            self.assertEqual(shared, measures)

    def refused(self, words, *expected):
        for n in (2, 4):
            _, err = self.weft(n, *words, code=1)
            lines = [line for line in err.splitlines() if line.startswith("weft: ") and "note:" not in line]
            self.assertEqual(len(lines), 1, err)
            for word in (*expected, "; "):
                self.assertIn(word, lines[0])

    def test_what_is_not_shared_out_says_so(self):
        self.refused(["certify", "small.weft", "all.csv"], "weft certify", "without mpirun")
        self.refused(["train", "all.csv", "--target", "y", "--fit", "sfgd"], "--fit", "sfgd")
        self.refused(["train", "all.csv", "--target", "y", "--fit", "kernel-ridge"], "--landmarks")
        self.refused(["train", "all.csv", "--target", "y", "--fit", "portfolio", "--max-time", "5"], "--max-time")
        self.refused(["tune", "all.csv", "--target", "y", "--minutes", "1"], "--minutes")
        self.refused(["train", "all.csv", "--target", "y", "--max-time", "5"], "--max-time")
        self.weft(0, "train", "all.csv", "--target", "y", "--drop", "k", "--fast", "--features", "20", "--model", "small.weft")
        self.refused(["predict", "small.weft", "-"], "standard input")

    def test_errors_come_once_and_end_all(self):
        self.refused(["train", "nothing.csv", "--target", "y"], "nothing.csv")
        self.refused(["train", "all.csv", "--target", "nothing"], "--target")
        self.refused(["train", "all.csv", "--nothing"], "--nothing")
        text = (self.folder / "part-3.csv").read_text().splitlines()
        text[3000] = "oops" + text[3000]
        for part in (0, 1, 2, 4):
            shutil.copy(self.folder / f"part-{part}.csv", self.folder / f"bad-{part}.csv")
        (self.folder / "bad-3.csv").write_text("\n".join(text) + "\n")
        words = ["train", "bad-*.csv", "--target", "y", "--drop", "k", "--model", "bad.weft"]
        self.refused(words, "bad-3.csv:3001:1")
        self.assertFalse((self.folder / "bad.weft").exists())

    def test_killed_processes(self):
        """A model is whole or not there, and nobody waits for the dead."""
        draws = random.Random(11)
        table = ["part-*.csv", "--target", "y", "--drop", "k", "--model", "killed.weft"]
        features = ["train", *table, "--features"]
        for words in (
            *15 * [[*features, "400"]],
            [*features, "100", "--fit", "lasso"],
            ["train", *table, "--fit", "kernel-ridge", "--landmarks", "300"],
            [*features, "100", "--loss", "huber"],
            ["train", *table, "--fit", "local", "--leaf", "800"],
            ["tune", *table, "--family", "rks-cos", "--features", "100", "--configurations", "6"],
        ):
            (self.folder / "killed.weft").unlink(missing_ok=True)
            job = self.start(3, *words)
            time.sleep(draws.uniform(0.3, 2.0))
            children = subprocess.run(["pgrep", "-P", str(job.pid)], capture_output=True, text=True).stdout.split()
            if children:
                os.kill(int(draws.choice(children)), signal.SIGKILL)
            killed = time.time()
            _, err = job.communicate(timeout=30)
            if children:
                self.assertLess(time.time() - killed, 10)
            if job.returncode != 0:
                self.assertIn("signal 9", err)
            names = [path.name for path in self.folder.iterdir() if "killed" in path.name]
            self.assertIn(names, ([], ["killed.weft"]))
            if names:
                self.weft(0, "info", "killed.weft")


if __name__ == "__main__":
    if shutil.which("mpirun") is None or shutil.which("pgrep") is None:
        print("skipped: it needs mpirun and pgrep")
        sys.exit(77)
    WEFT = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
