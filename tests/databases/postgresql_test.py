"""Reads from and writes to a PostgreSQL server of its own: postgresql_test.py WEFT

The server lives in a temporary folder, listens on a socket there alone, runs as a user without rights where the test runs as
root, and is stopped at the end in any case. psql and Python make the tables and look at them.
"""

import csv
import glob
import json
import os
import pwd
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SECRET = "s3cr3t-Word"


def programs():
    """The folder of initdb and postgres; None where they are not."""
    found = shutil.which("initdb")
    folders = [str(Path(found).parent)] if found else []
    folders += sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
    return next((Path(folder) for folder in reversed(folders) if (Path(folder) / "initdb").exists()), None)


class Server:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.bin = programs()
        self.port = random.randint(20000, 60000)  # a part of the socket's name
        self.user = {}
        if os.geteuid() == 0:
            owner = pwd.getpwnam("nobody")
            self.user = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        os.chmod(folder, 0o755)
        self.data = self.folder / "data"
        self.process = None

    def start(self):
        command = [self.bin / "initdb", "-D", self.data, "-U", "admin", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self.folder, **self.user)
        rules = "local all ann scram-sha-256\nlocal all all trust\n"
        (self.data / "pg_hba.conf").write_text(rules)
        command = [self.bin / "postgres", "-D", self.data, "-k", self.folder, "-p", str(self.port), "-c", "listen_addresses="]
        command += ["-c", "fsync=off", "-c", "timezone=Asia/Tokyo", "-c", "datestyle=German", "-c", "extra_float_digits=0"]
        log = (self.folder / "log").open("w")
        with log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder, **self.user)
        deadline = time.time() + 60
        while subprocess.run(self.psql("select 1"), capture_output=True).returncode != 0:
            if time.time() > deadline or self.process.poll() is not None:
                raise RuntimeError((self.folder / "log").read_text())
            time.sleep(0.1)

    def stop(self):
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)  # at once
            self.process.wait()

    def psql(self, sql):
        return ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", str(self.folder), "-p", str(self.port),
                "-U", "admin", "-d", "postgres", "-c", sql]

    def sql(self, sql):
        return subprocess.run(self.psql(sql), check=True, capture_output=True, text=True).stdout.strip()

    def address(self, parameters="", user="admin"):
        url = f"postgresql://{user}@/postgres?host={self.folder}&port={self.port}"
        return url + ("&" + parameters if parameters else "")


class Postgresql(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="weft-pg-", dir="/tmp")
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.server = Server(cls.temporary.name)
        cls.addClassCleanup(cls.server.stop)
        cls.server.start()
        cls.work = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.work.cleanup)
        cls.make_tables()
        cls.weft("train", cls.server.address("table=customers"), "--target", "y", "--drop", "id,code,good,since", "--features",
                 "30", "--model", "m.weft", "--quiet")
        cls.weft("train", cls.server.address("table=customers"), "--target", "good", "--drop", "id,code,y,since", "--features",
                 "30", "--model", "k.weft", "--quiet")

    @classmethod
    def make_tables(cls):
        generator = random.Random(1)
        rows = []
        for i in range(25000):
            age = None if i % 11 == 0 else generator.randint(18, 90)
            city = None if i % 13 == 0 else generator.choice(["Köln", "New York", 'a "b", \\c\t'])
            income = generator.gauss(0, 1) / 3
            member = i % 3 == 0
            y = (age or 50) / 10 + (2 if city == "Köln" else 0) + income + member + generator.gauss(0, 0.1)
            rows.append([i + 1, f"{i:06}", age, city, income, str(member).lower(), f"2024-01-{i % 28 + 1:02} 03:04:05", y,
                         "yes" if y > 6 else "no"])
        with open(Path(cls.work.name) / "customers.csv", "w", newline="") as file:
            out = csv.writer(file)
            out.writerow(["id", "code", "age", "city", "income", "member", "since", "y", "good"])
            out.writerows(rows)
        cls.server.sql("create table customers (id bigint primary key, code text, age int, city text, income float8, member bool,"
                       " since timestamp, y float8, good text); create user ann password '" + SECRET + "';"
                       " grant select on customers to ann")
        path = Path(cls.work.name) / "customers.csv"
        subprocess.run(cls.server.psql("\\copy customers from '" + str(path) + "' csv header"), check=True)

    @classmethod
    def run_weft(cls, *arguments, env=None):
        command = [sys.argv[1], *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=cls.work.name, env={**os.environ, **(env or {})})

    @classmethod
    def weft(cls, *arguments, env=None):
        outcome = cls.run_weft(*arguments, env=env)
        if outcome.returncode != 0 or outcome.stderr != "":
            raise AssertionError(outcome.stderr)
        return outcome.stdout

    def refused(self, *arguments, words, env=None):
        outcome = self.run_weft(*arguments, env=env)
        self.assertEqual(outcome.returncode, 1, outcome.stderr)
        self.assertEqual(outcome.stderr.count("\n"), 1, outcome.stderr)
        for word in [*words, "; "]:
            self.assertIn(word, outcome.stderr)
        self.assertNotIn(SECRET, outcome.stdout + outcome.stderr)

    def test_a_table_is_that_of_the_same_csv(self):
        self.weft("train", "customers.csv", "--target", "y", "--drop", "id,code,good,since", "--features", "30", "--model",
                  "csv.weft", "--quiet")
        expected = self.weft("predict", "csv.weft", "customers.csv", "--keep", "id,code,age,city,income,member,since")
        for model in ["csv.weft", "m.weft"]:
            for data in [("customers.csv",), (self.server.address("table=public.customers"),),
                         (self.server.address(), "--query", "select * from customers order by id;")]:
                found = self.weft("predict", model, *data, "--keep", "id,code,age,city,income,member,since")
                self.assertEqual(found, expected, (model, data))

    def test_every_command_reads_it(self):
        data = [self.server.address(), "--query", "select * from customers where id <= 800"]
        test = self.server.address("query=select * from customers where id > 24500")
        for command in ["evaluate", "explain", "certify"]:
            outcome = self.run_weft(command, "m.weft", *data)
            self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.weft("prune", "m.weft", *data, "--test", test, "--out", "p.weft", "--quiet")
        search = ["--target", "y", "--drop", "id,code,good,since", "--fit", "least-squares", "--features", "20",
                  "--configurations", "2", "--folds", "2", "--quiet"]
        self.assertEqual(self.run_weft("tune", *data, *search, "--test", test).returncode, 0)

    def test_passes_see_one_snapshot_and_other_settings_do_not_matter(self):
        numbers = self.weft("predict", "m.weft", self.server.address(), "--query",
                            "select *, 1/3::float8 as third, timestamptz '2024-05-06 07:08:09+00' as moment, null as nothing,"
                            " 'NaN'::float8 as nan, 12345678901234567::numeric as long from customers limit 1",
                            "--keep", "third,moment,member,nothing,nan,long")
        cells = next(csv.DictReader(numbers.splitlines()))
        self.assertEqual(float(cells["third"]), 1 / 3)
        self.assertEqual(cells["moment"], "2024-05-06 07:08:09+00")
        self.assertEqual([cells["member"], cells["nothing"], cells["nan"], cells["long"]],
                         ["true", "", "NaN", "12345678901234567"])
        outcome = self.run_weft("train", self.server.address(), "--query",
                                "select age, income, y from customers order by random() limit 6000", "--target", "y", "--features",
                                "20", "--holdout", "0.5", "--json")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.assertGreater(json.loads(outcome.stdout)["test"]["r2"], 0.5)

    def test_predictions_become_a_table(self):
        data = [self.server.address(), "--query", "select * from customers where id % 10 = 0 order by id"]
        self.weft("predict", "m.weft", *data, "--rows", "--keep", "id,code,city,income", "--out", self.server.address("table=scores"))
        self.weft("predict", "m.weft", *data, "--rows", "--keep", "id,code,city,income", "--out", "scores.csv")
        self.weft("predict", "k.weft", *data, "--proba", "--out", self.server.address("table=public.kinds"))
        types = self.server.sql("select string_agg(data_type, ',' order by ordinal_position) from information_schema.columns"
                                " where table_name = 'scores'")
        self.assertEqual(types, "bigint,bigint,text,text,double precision,double precision")
        self.server.sql("create table expected (like scores)")
        path = Path(self.work.name) / "scores.csv"
        subprocess.run(self.server.psql(f"\\copy expected from '{path}' csv header"), check=True)
        self.assertEqual(self.server.sql("select count(*) from scores"), "2500")
        self.assertEqual(self.server.sql("(table scores except all table expected) union all (table expected except all table scores)"), "")
        self.assertEqual(self.server.sql("select count(*), count(distinct good), bool_and(abs(proba_no + proba_yes - 1) < 1e-12)"
                                         " from kinds"), "2500|2|t")

    def test_an_existing_table_needs_a_word(self):
        self.server.sql("create table stored (y float8, id int unique, at timestamptz default now())")
        data = [self.server.address(), "--query", "select * from customers where id <= 100", "--keep", "id", "--out"]
        self.refused("predict", "m.weft", *data, self.server.address("table=stored"), words=["'stored' exists", "mode=append"])
        self.weft("predict", "m.weft", *data, self.server.address("table=stored&mode=append"))
        self.assertEqual(self.server.sql("select count(*), count(at) from stored"), "100|100")
        self.refused("predict", "m.weft", *data, self.server.address("table=stored&mode=append"),
                     words=["duplicate key", "COPY stored, line 1", "nothing was written"])
        self.weft("predict", "m.weft", *data, self.server.address("table=stored&mode=replace"))
        self.assertEqual(self.server.sql("select count(*) from stored"), "100")
        # Reading the table whose rows are replaced.
        self.weft("predict", "m.weft", self.server.address(), "--query",
                  "select c.* from customers c join stored s on c.id = s.id where s.id <= 60", "--keep", "id", "--out",
                  self.server.address("table=stored&mode=replace"))
        self.assertEqual(self.server.sql("select count(*) from stored"), "60")
        self.refused("predict", "m.weft", self.server.address("table=customers"), "--keep", "city", "--out",
                     self.server.address("table=stored&mode=append"), words=["no column 'city'", "y, id, at"])
        self.refused("predict", "m.weft", self.server.address("table=customers"), "--out",
                     self.server.address("table=customers&mode=replace"), words=["which is read"])

    def test_nothing_is_left_after_a_failure_or_an_interruption(self):
        Path(self.work.name, "bad.csv").write_text("age,city,income,member\n1,x,2,true\n2,x,much,true\n")
        self.refused("predict", "m.weft", "bad.csv", "--out", self.server.address("table=bad"), words=["bad.csv:3:3"])
        command = [sys.argv[1], "predict", "m.weft", self.server.address(), "--query",
                   "select a.* from customers a, customers b", "--out", self.server.address("table=interrupted")]
        process = subprocess.Popen(command, cwd=self.work.name, stderr=subprocess.DEVNULL)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), 130)
        left = "select count(*) from pg_class where relname in ('bad', 'interrupted')"
        self.assertEqual(self.server.sql(left), "0")

    def test_mistakes_name_the_place_and_the_remedy(self):
        self.server.sql("create table mixed as select case when i = 3000 then 'oops' else i::text end as a, i as y"
                        " from generate_series(1, 4000) i")
        address = self.server.address()
        self.refused("train", self.server.address("table=mixed"), "--target", "y", words=["row 3000, column a", "'oops'", "--na-values"])
        self.refused("train", self.server.address("table=custom"), "--target", "y", words=['"custom" does not exist', "customers"])
        self.refused("train", address, "--target", "y", words=["neither a table nor a query", "customers"])
        self.refused("train", address, "--query", "select agee from customers", "--target", "y", words=['column "agee" does not exist', "check the query"])
        self.refused("train", address, "--query", "select 1 as a, 1 / (id - 5000) as y from customers", "--target", "y", words=["division by zero"])
        self.refused("train", address, "--query", "delete from customers", "--target", "y", words=["syntax error"])
        self.refused("train", address, "--query", "select 1; drop table customers", "--target", "y", words=["multiple commands"])
        self.refused("train", address, "--query", "select * from customers where false", "--target", "y", words=["no rows"])
        self.refused("train", address, "--query", "select setval('x', 1)", "--target", "y", words=["PostgreSQL: "])
        self.assertEqual(self.server.sql("select count(*) from customers"), "25000")

    def test_passwords_are_nowhere(self):
        address = self.server.address("table=customers", user="ann:" + SECRET)
        self.refused("train", self.server.address("table=customers", user="ann:" + SECRET + "x"), "--target", "y",
                     words=["password authentication failed"])
        self.refused("train", self.server.address("table=customers", user="ann"), "--target", "y", words=["no password supplied", "PGPASSWORD"])
        self.refused("predict", "m.weft", "customers.csv", "--out", self.server.address("table=new", user="ann:" + SECRET),
                     words=["permission denied", "create tables"])
        self.refused("predict", "m.weft", "customers.csv", "--out",
                     self.server.address("table=customers&mode=append", user="ann:" + SECRET), words=["may not insert", "grant INSERT"])
        command = ["--target", "y", "--drop", "id,code,good,since", "--features", "20", "--test", address, "--model", "a.weft",
                   "--report", "a.html", "--verbose", "--json"]
        outcome = self.run_weft("train", address, *command)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        parameter = self.server.address("table=customers&password=" + SECRET, user="ann")
        info = self.run_weft("train", parameter, "--target", "y", "--drop", "id,code,good,since", "--features", "20", "--model", "b.weft")
        self.assertEqual(info.returncode, 0, info.stderr)
        pruned = self.run_weft("prune", "a.weft", parameter, "--out", "c.weft")
        self.assertEqual(pruned.returncode, 0, pruned.stderr)
        texts = [outcome.stdout, outcome.stderr, info.stdout, info.stderr, pruned.stdout, self.weft("info", "a.weft", "--json")]
        for text in texts:
            self.assertNotIn(SECRET, text)
        self.assertIn("postgresql://ann@/postgres", self.weft("info", "a.weft", "--json"))
        for file in Path(self.work.name).iterdir():
            self.assertNotIn(SECRET.encode(), file.read_bytes(), file)
        self.weft("evaluate", "m.weft", self.server.address("table=customers", user="ann"), env={"PGPASSWORD": SECRET})

    def test_memory_does_not_grow_with_the_rows(self):
        def peak(rows):
            query = f"select c.* from customers c, generate_series(1, {rows // 25000})"
            command = [sys.argv[1], "predict", "m.weft", self.server.address(), "--query", query, "--out", "many.npy"]
            process = subprocess.Popen(command, cwd=self.work.name, stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual(process.returncode, 0)
            return usage.ru_maxrss
        small, large = peak(50_000), peak(1_000_000)
        # KiB. The rows are 72 MB as numbers and 90 MB as text; 16 MiB of them are kept in memory.
        self.assertLess(large - small, 32 * 1024)


if __name__ == "__main__":
    if programs() is None or shutil.which("psql") is None:
        print("skipped: needs a PostgreSQL server (Debian: postgresql)")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1], verbosity=2)
