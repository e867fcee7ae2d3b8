"""pip install .: the extension module is the CMake target weft_python, the version that of the CMake project."""

import os
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).parent.resolve()


class BuildWithCMake(build_ext):
    def build_extension(self, extension):
        output = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve().parent
        work = pathlib.Path(self.build_temp).resolve()
        options = {
            "CMAKE_BUILD_TYPE": "Release",
            "WEFT_BUILD_CLI": "OFF",
            "WEFT_BUILD_TESTS": "OFF",
            "WEFT_PYTHON": "ON",
            "WEFT_PYTHON_OUTPUT": output,
            "Python_EXECUTABLE": sys.executable,
        }
        try:
            import pybind11

            options["pybind11_DIR"] = pybind11.get_cmake_dir()
        except ImportError:
            pass  # Debian's pybind11-dev is found without
        settings = [f"-D{name}={value}" for name, value in options.items()] + os.environ.get("CMAKE_ARGS", "").split()
        subprocess.run(["cmake", "-S", ROOT, "-B", work, *settings], check=True)
        jobs = str(self.parallel or os.cpu_count() or 1)
        subprocess.run(["cmake", "--build", work, "--target", "weft_python", "-j", jobs], check=True)


setup(
    version=re.search(r"project\(weft VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1],
    ext_modules=[Extension("weft._weft", [])],
    cmdclass={"build_ext": BuildWithCMake},
)
