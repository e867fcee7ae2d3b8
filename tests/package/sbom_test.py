#!/usr/bin/env python3
"""sbom_test.py SBOM LIBRARIES…: the bill of materials is SPDX 2.3, and complete.

Every library that the files link or load by name, every header-only dependency that cmake/dependencies.cmake finds, and every
package whose licence the chart library asks to pass on is in it.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

# Which material a shared library belongs to, by the beginning of its name; those of the C and C++ run-time systems.
OF_LIBRARY = {
    "libfmt": "fmt",
    "libz": "zlib",
    "libgomp": "gcc-runtime",
    "libstdc++": "gcc-runtime",
    "libgcc_s": "gcc-runtime",
    "libmvec": "glibc",
    "libm": "glibc",
    "libc": "glibc",
    "ld-linux": "glibc",
    "libmpi": "openmpi",
    "libscalapack": "scalapack",
    "libopenblas": "openblas",
    "libblas": "openblas",
    "libsqlite3": "sqlite",
    "libpq": "libpq",
}
# What find_package() and find_path() of cmake/dependencies.cmake call it.
OF_CMAKE = {
    "OpenMP": "gcc-runtime",
    "Threads": "glibc",
    "fmt": "fmt",
    "nlohmann_json": "nlohmann-json",
    "FastFloat": "fast_float",
    "ZLIB": "zlib",
    "Boost": "boost-math",
    "RANDOM123": "random123",
    "CLI11": "cli11",
}
LICENCES = {
    "0BSD", "Apache-2.0 OR MIT", "BSD-2-Clause", "BSD-3-Clause", "BSD-3-Clause-Open-MPI", "BSL-1.0", "blessing",
    "GPL-3.0-or-later WITH GCC-exception-3.1", "ISC", "LGPL-2.1-or-later", "MIT", "PostgreSQL", "Unlicense", "Zlib",
}  # fmt: skip
RELATIONS = {
    "DESCRIBES", "CONTAINS", "STATIC_LINK", "DYNAMIC_LINK", "RUNTIME_DEPENDENCY_OF", "OPTIONAL_DEPENDENCY_OF",
}  # fmt: skip


def check_form(sbom):
    """The properties that the JSON schema of SPDX 2.3 requires, and that every reference has a target."""
    assert sbom["spdxVersion"] == "SPDX-2.3" and sbom["dataLicense"] == "CC0-1.0" and sbom["SPDXID"] == "SPDXRef-DOCUMENT"
    assert sbom["name"] and re.fullmatch(r"[a-z][a-z0-9+.-]*:[^#\s]+", sbom["documentNamespace"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", sbom["creationInfo"]["created"])
    assert all(re.match(r"(Tool|Person|Organization): \S", one) for one in sbom["creationInfo"]["creators"])
    ids = [package["SPDXID"] for package in sbom["packages"]]
    assert len(ids) == len(set(ids)), "a package is listed twice"
    for package in sbom["packages"]:
        assert re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", package["SPDXID"]), package
        assert package["name"] and package["downloadLocation"] and package["versionInfo"], package
        assert package["licenseDeclared"] in LICENCES, f"{package['name']}: {package['licenseDeclared']}"
        for reference in package.get("externalRefs", []):
            assert reference["referenceLocator"].startswith("pkg:"), reference
    for relation in sbom["relationships"]:
        assert relation["relationshipType"] in RELATIONS, relation
        assert {relation["spdxElementId"], relation["relatedSpdxElement"]} <= {"SPDXRef-DOCUMENT", *ids}, relation
    related = {relation[end] for relation in sbom["relationships"] for end in ("spdxElementId", "relatedSpdxElement")}
    assert set(ids) <= related, "a package has nothing to do with weft"


def linked(path):
    text = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[([^\]]+)\]", text)


def loaded_by_name():
    """Names of shared libraries in the sources: what dlopen is called with."""
    sources = [*ROOT.glob("src/**/*.cpp"), *ROOT.glob("python/bindings/*.cpp")]
    texts = (path.read_text() for path in sources)
    return {name for text in texts for name in re.findall(r'"(lib[a-z0-9+]+)[a-z0-9-]*\.so[.0-9]*"', text)} - {"libweft"}


def missing(sbom, files):
    there = {package["name"] for package in sbom["packages"]}
    libraries = {name for path in files for name in linked(path)} | {f"{name}.so" for name in loaded_by_name()}
    for library in sorted(libraries):
        owner = next((OF_LIBRARY[stem] for stem in sorted(OF_LIBRARY, key=len, reverse=True) if library.startswith(stem)), None)
        if owner is None or owner not in there:
            yield f"{library} ({owner or 'unknown'})"
    dependencies = (ROOT / "cmake/dependencies.cmake").read_text()
    for name in re.findall(r"find_package\((\w+)|find_path\((\w+)_INCLUDE_DIR", dependencies):
        name = name[0] or name[1]
        if OF_CMAKE.get(name) not in there:
            yield f"{name} of cmake/dependencies.cmake"


def check_web(sbom):
    """What reports contain is pinned, version and checksum, by the lock file."""
    lock = json.loads((ROOT / "src/report/web/package-lock.json").read_text())["packages"]
    contained = {r["relatedSpdxElement"] for r in sbom["relationships"] if r["relationshipType"] == "CONTAINS"}
    packages = [package for package in sbom["packages"] if package["SPDXID"] in contained]
    for package in packages:
        pinned = lock[f"node_modules/{package['name']}"]
        assert pinned["version"] == package["versionInfo"] and pinned["integrity"].startswith("sha512-"), package
    return len(packages)


def main():
    sbom = json.loads(Path(sys.argv[1]).read_text())
    check_form(sbom)
    lacking = list(missing(sbom, sys.argv[2:]))
    assert not lacking, f"not in the bill of materials: {', '.join(lacking)}; add them to cmake/sbom.cmake"
    print(f"{len(sbom['packages'])} packages, {check_web(sbom)} of them in reports")


if __name__ == "__main__":
    main()
