#!/bin/sh
# consumers.sh PREFIX [FLAGS…]: examples/price.cpp against the installed weft, found by CMake and by pkg-config, gives the same model.
set -eu
prefix=$1
shift
flags="$*"
source=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
awk 'BEGIN { srand(1); print "rooms,area,age,price"; for (i = 0; i < 200; ++i) { r = 1 + int(5 * rand()); a = 20 * r + 30 * rand(); t = 90 * rand(); print r "," a "," t "," 1000 * a + 5000 * r - 300 * t } }' >train.csv
cut -d, -f1-3 train.csv >new.csv

# built WAY COMMAND…: builds ./price-WAY with the command and runs it.
built() {
  way=$1
  shift
  "$@" >"$way.log" 2>&1 || { cat "$way.log"; exit 1; }
  mkdir -p "run-$way"
  cp train.csv new.csv "run-$way"
  (cd "run-$way" && "../price-$way") >"$way.out"
  grep '^200 predictions, the first is [1-9]' "$way.out"
  cmp "$way.out" cmake.out
}

mkdir cmake
cat >cmake/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(price LANGUAGES CXX)
find_package(weft 0.1 REQUIRED)
add_executable(price $source/examples/price.cpp)
target_link_libraries(price PRIVATE weft::weft)
END
by_cmake() {
  cmake -S cmake -B by-cmake -G Ninja -D CMAKE_PREFIX_PATH="$prefix" -D CMAKE_CXX_FLAGS="$flags" -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
  cmake --build by-cmake
  cp by-cmake/price price-cmake
}
built cmake by_cmake

command -v pkg-config >/dev/null || { echo "skipped: pkg-config is not installed"; exit 0; }
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name weft.pc)")
export PKG_CONFIG_PATH
# A package that is moved says where it is now.
case $(pkg-config --variable=includedir weft) in "$prefix"/* | "$PKG_CONFIG_PATH"/*) ;; *) echo "weft.pc names another prefix"; exit 1 ;; esac
for static in "" --static; do
  # shellcheck disable=SC2086,SC2046
  built "pkg$static" ${CXX:-c++} -std=c++20 $flags "$source/examples/price.cpp" -o "price-pkg$static" $(pkg-config $static --cflags --libs weft)
done
