#!/usr/bin/env bash
# wheel.sh SOURCE BUILD: pip packs what BUILD has built, twice the same bytes, and the wheel is whole: it is installed into a folder, where
# weft learns and predicts.
set -euo pipefail
source=$1 build=$2
python=/usr/bin/python3
[[ -x $python ]] || python=python3
for module in pip setuptools wheel sklearn; do
  $python -c "import $module" 2>/dev/null || {
    echo "skipped: Python has no $module"
    exit 77
  }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PIP_ROOT_USER_ACTION=ignore WEFT_BUILD=$build PYTHONDONTWRITEBYTECODE=1 SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-1767225600}
for place in one another; do
  mkdir "$work/$place"
  (cd "$source" && cp -r CMakeLists.txt LICENSE README.md pyproject.toml setup.py python "$work/$place")
  $python -m pip wheel -q --no-index --no-build-isolation --no-deps -w "$work/$place/out" "$work/$place"
done
cmp "$work"/one/out/*.whl "$work"/another/out/*.whl

cd "$work"
wheel=$(echo one/out/*.whl)
$python - "$wheel" "$source" <<'END'
import email, pathlib, sys, sysconfig, zipfile

wheel, source = zipfile.ZipFile(sys.argv[1]), pathlib.Path(sys.argv[2])
names = set(wheel.namelist())
expected = {f"weft/{path.name}" for kind in ("*.py", "*.pyi") for path in source.glob(f"python/weft/{kind}")}
expected |= {"weft/py.typed", "weft/weft.spdx.json", "weft/_weft" + sysconfig.get_config_var("EXT_SUFFIX")}
assert expected <= names, f"not in the wheel: {expected - names}"
others = {name for name in names - expected if ".dist-info/" not in name}
assert not others, f"in the wheel without being of the package: {others}"
folder = next(name.split("/")[0] for name in names if ".dist-info/" in name)
assert f"{folder}/LICENSE" in names
metadata = email.message_from_bytes(wheel.read(f"{folder}/METADATA"))
assert metadata["Name"] == "weft" and metadata["Requires-Python"] and metadata["License"], metadata.items()
assert any(line.startswith("scikit-learn") for line in metadata.get_all("Requires-Dist"))
tag = email.message_from_bytes(wheel.read(f"{folder}/WHEEL"))["Tag"]
assert tag.split("-")[0] == f"cp{sys.version_info.major}{sys.version_info.minor}", tag
print(pathlib.Path(sys.argv[1]).name, sum(info.compress_size for info in wheel.infolist()) // 1000, "kB")
END
$python -m pip install -q --no-index --no-deps --no-compile --target site "$wheel"
cat >try.py <<'END'
import os, numpy, weft

assert os.path.dirname(weft.__file__) == os.path.join(os.getcwd(), "site", "weft"), weft.__file__
x = numpy.random.default_rng(0).normal(size=(300, 3))
model = weft.RandomFeatureRegressor(n_features=100).fit(x[:200], x[:200, 0])
error = numpy.mean((model.predict(x[200:]) - x[200:, 0]) ** 2)
assert error < 0.05, error
END
PYTHONPATH=site $python -P try.py 2>/dev/null || PYTHONPATH=site $python try.py
