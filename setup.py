"""pip install .: the extension module is the CMake target weft_python, the version that of the CMake project.

CMAKE_ARGS adds options for CMake. WEFT_BUILD names a folder in which CMake has configured weft already: the module is then built
and taken from there.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

ROOT = pathlib.Path(__file__).parent.resolve()
os.umask(0o022)  # wheels hold the permissions of files, which must not depend on who builds them


class CopyReadable(build_py):
    def run(self):
        super().run()
        if not getattr(self, "editable_mode", False):
            for path in self.get_outputs(include_bytecode=False):
                os.chmod(path, 0o644)


class BuildWithCMake(build_ext):
    def build_extension(self, extension):
        output = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve()
        configured = os.environ.get("WEFT_BUILD")
        work = pathlib.Path(configured or self.build_temp).resolve()
        if not configured:
            self.configure(work)
        jobs = str(self.parallel or os.cpu_count() or 1)
        subprocess.run(["cmake", "--build", work, "--target", "weft_python", "-j", jobs], check=True)
        output.parent.mkdir(parents=True, exist_ok=True)
        built = work / "python" / "weft" / output.name
        if not built.exists():
            sys.exit(f"{built} was not built: CMake found no headers of this Python, or no pybind11")
        shutil.copyfile(built, output)
        if not self.inplace:
            shutil.copyfile(work / "weft.spdx.json", output.parent / "weft.spdx.json")

    def configure(self, work):
        options = {
            "CMAKE_BUILD_TYPE": "Release",
            "WEFT_BUILD_CLI": "OFF",
            "WEFT_BUILD_C": "OFF",
            "WEFT_BUILD_TESTS": "OFF",
            "WEFT_PYTHON": "ON",
            "Python_EXECUTABLE": sys.executable,
        }
        try:
            import pybind11

            options["pybind11_DIR"] = pybind11.get_cmake_dir()
        except ImportError:
            pass  # Debian's pybind11-dev is found without
        settings = [f"-D{name}={value}" for name, value in options.items()] + os.environ.get("CMAKE_ARGS", "").split()
        subprocess.run(["cmake", "-S", ROOT, "-B", work, *settings], check=True)


setup(
    version=re.search(r"project\(weft VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1],
    ext_modules=[Extension("weft._weft", [])],
    cmdclass={"build_ext": BuildWithCMake, "build_py": CopyReadable},
)
