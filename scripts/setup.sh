# What ./run and ./test share; sourced with bash from the repository root. Progress goes to standard error, so that standard
# output is the command's own; what the tools for setting up say goes to build/log.

log_dir=build/log

# Tests run side by side, and what works in parallel in one should not wait by using a processor that another could have.
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}

say() { printf 'weft: %s\n' "$*" >&2; }

die() {
  say "$*"
  exit 1
}

# logged NAME COMMAND…: runs the command into its log; where it fails, shows the log's end and stops.
logged() {
  local log=$log_dir/$1.log
  shift
  mkdir -p "$log_dir"
  "$@" >"$log" 2>&1 </dev/null && return
  tail -n 40 "$log" >&2
  die "failed: $* (all of it: $PWD/$log)${hint:+; $hint}"
}

# packages SECTION…: the names under these headings of packages.txt.
packages() {
  awk -v wanted=" $* " '/^\[/ { on = index(wanted, " " substr($0, 2, length($0) - 2) " ") } /^[a-z]/ && on' packages.txt
}

on_debian() {
  command -v apt-get dpkg-query >/dev/null &&
    (ID='' && ID_LIKE='' && . /etc/os-release && [[ " $ID $ID_LIKE " =~ \ (debian|ubuntu)\  ]])
}

# require SECTION…: installs what is missing. Elsewhere than on Debian the programs must be there, and the configuration,
# which looks for every header and library, has the last word.
require() {
  local wanted missing program
  mapfile -t wanted < <(packages "$@")
  if ! on_debian; then
    hint="weft needs what Debian calls: ${wanted[*]}"
    for program in c++ cmake ninja; do
      command -v "$program" >/dev/null || die "$program not found, and this system is not Debian; $hint"
    done
    return
  fi
  mapfile -t missing < <(comm -23 <(printf '%s\n' "${wanted[@]}" | sort) <(installed "${wanted[@]}" | sort -u))
  ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
}

# Node from elsewhere than Debian serves as well, and Debian's packages would conflict with it.
installed() {
  ! command -v npm >/dev/null || printf '%s\n' nodejs npm
  dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p'
}

install_packages() {
  local as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || die "missing packages and no sudo; as root: apt-get install $*"
    as_root=(sudo)
    # Ask for a password here, where it can be seen; without a terminal there is nobody to ask.
    if [[ -t 0 ]]; then sudo -v; else as_root+=(-n); fi
  fi
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y
    -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
  say "installing $*"
  logged apt-update "${apt[@]}" update
  logged apt-install "${apt[@]}" install --no-install-recommends "$@"
}

# chart_library [dev]: fetches what reports draw their charts with into build/npm, and with dev what tests drive a browser
# with, unless it is there as the lock file says. weft builds without it, so a failure is said and not fatal.
chart_library() {
  local web=src/report/web npm=build/npm wanted=${1:-}
  [[ -d $npm/node_modules/vega-lite && (-z $wanted || -d $npm/node_modules/playwright-core) ]] &&
    cmp -s $web/package-lock.json $npm/package-lock.json && return
  command -v npm >/dev/null || {
    say "npm not found: reports will have no charts"
    return
  }
  say "fetching the charting library"
  mkdir -p $npm "$log_dir"
  cp $web/package.json $web/package-lock.json $web/.npmrc $npm
  (cd $npm && npm ci --ignore-scripts --no-audit --no-fund $([[ $wanted ]] || echo --omit=dev)) >"$log_dir/npm.log" 2>&1 </dev/null && return
  rm -f $npm/package-lock.json
  say "npm could not fetch it (see $PWD/$log_dir/npm.log): reports will have no charts"
}

# Fetches what tests run ONNX files with into build/onnx. They are skipped without it.
onnx_runtime() {
  local from=tests/export/npm to=build/onnx
  [[ -d $to/node_modules/onnxruntime-node ]] && cmp -s $from/package-lock.json $to/package-lock.json && return
  say "fetching onnxruntime"
  mkdir -p $to "$log_dir"
  cp $from/package.json $from/package-lock.json $from/.npmrc $to
  (cd $to && npm ci --ignore-scripts --no-audit --no-fund) >"$log_dir/onnx.log" 2>&1 </dev/null && return
  rm -f $to/package-lock.json
  say "npm could not fetch it (see $PWD/$log_dir/onnx.log): ONNX files will not be run"
}

# One preset for ./run and ./test, so that neither compiles again what the other has built. Warnings are errors where CI is
# set when the folder is made: a newer compiler's opinion must not stop somebody who only wants to use weft.
configure() {
  local options=()
  [[ -z ${CI:-} || -f build/build.ninja ]] || options=(-D WEFT_WERROR=ON)
  say "configuring"
  logged configure cmake --preset release "${options[@]}"
}

# build [TARGET…]: Ninja's progress is one line that changes on a terminal, and a line per file elsewhere.
build() {
  say "building"
  NINJA_STATUS='weft: [%f/%t] ' cmake --build build ${1:+--target "$@"} >&2 </dev/null ||
    die "the build failed${hint:+; $hint}"
}
