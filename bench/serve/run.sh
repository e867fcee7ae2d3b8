#!/usr/bin/env bash
# run.sh BUILD [SECONDS] [SOAK_SECONDS]: weft serve under wrk on loopback, T = 1000, 20 inputs, one row per request. The answers are
# compared with weft predict first. Then: requests per second and latencies; the same at a pace that leaves the machine
# room, by pauses of the clients; with the model file exchanged once a second; and the memory of the server while the load goes on. Needs wrk and curl.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?build directory}" && pwd)
seconds=${2:-10} soak=${3:-120}
features=1000 connections=${CONNECTIONS:-64}
if [[ -n ${WEFT_BENCH_TINY:-} ]]; then features=50 connections=4 seconds=1 soak=2; fi
weft=$build/bin/weft
work=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server"; wait; rm -rf "$work"' EXIT
cd "$work"

awk -v rows=2000 'BEGIN {
  srand(1)
  for (j = 0; j < 20; ++j) printf "x%d,", j
  print "y"
  for (i = 0; i < rows; ++i) {
    y = 0
    for (j = 0; j < 20; ++j) { x = sqrt(-2 * log(1 - rand())) * cos(6.2831853 * rand()); y += sin(x * (j + 1) / 5); printf "%.6f,", x }
    printf "%.6f\n", y
  }
}' >train.csv
for seed in 1 2; do
  "$weft" train train.csv --target y --fast --family rw-sign --features $features --seed $seed --model $seed.weft --quiet >/dev/null
done
cp 1.weft served.weft
awk -F, 'NR == 1 { for (j = 1; j < NF; ++j) name[j] = $j; next }
  NR <= 201 { row = ""; for (j = 1; j < NF; ++j) row = row (j > 1 ? ", " : "{") "\"" name[j] "\": " $j; print row "}" }' train.csv >rows.json

"$weft" serve served.weft --port 0 --threads 2 >address &
server=$!
until [[ -s address ]]; do sleep 0.1; done
url=$(awk '{ print $NF }' address)

"$weft" predict 1.weft train.csv | sed -n 2,201p >expected
while IFS= read -r row; do
  curl -sf "$url/predict" -H 'Content-Type: application/json' -d "$row" | sed 's/.*"y": \([^}]*\)}.*/\1/'
done < <(head -n 20 rows.json) >answered
paste -d' ' answered <(head -n 20 expected) | awk '{ d = $1 - $2; if (d < 0) d = -d; if (d > most) most = d; same += $1 == $2 }
  END { printf "20 answers are those of weft predict to %.1g\n\n", most; exit NR != 20 || most > 1e-9 }'

memory() { awk '/VmRSS/ { print $2 }' "/proc/$server/status"; }
load() { PAUSE=${2:-} ROWS=$work/rows.json wrk -t 2 -c "$connections" -d "$1s" -s "$here/row.lua" "$url" | tail -n 1; }

echo "| | requests | per second | p50 ms | p99 ms | p99.9 ms | most ms | not 2xx | lost |"
echo "|---|---|---|---|---|---|---|---|---|"
load 1 >/dev/null
echo "| as many as it takes $(load "$seconds")"
echo "| paced $(load "$seconds" 2)"

for ((k = 0; k < seconds; ++k)); do
  sleep 1
  cp $((k % 2 + 1)).weft next.weft
  mv next.weft served.weft
done &
echo "| with reloads $(load "$seconds")"
wait $!
reloads=$(curl -sf "$url/metrics" | awk '$1 == "weft_reloads_total" { print $2 }')

memory >memory
for ((k = 0; k < soak; k += 1 + soak / 12)); do
  sleep $((1 + soak / 12))
  memory >>memory
done &
echo "| soak $(load "$soak")"
wait $!
requests=$(curl -sf "$url/metrics" | awk '/^weft_requests_total.*predict.*"200"/ { print $2 }')
ticks=$(awk '{ print $14 + $15 }' "/proc/$server/stat")
echo
awk -v t="$ticks" -v hz="$(getconf CLK_TCK)" -v n="$requests" \
  'BEGIN { printf "%.1f µs of the server'"'"'s processor time per request, of %d\n", 1e6 * t / hz / n, n }'
echo "$reloads reloads; resident memory during the soak, kB: $(paste -sd' ' memory)"
