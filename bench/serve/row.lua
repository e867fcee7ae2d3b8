-- wrk: one row in JSON per request, from the file that ROWS names; a line of results for run.sh.
local rows = {}
for line in io.lines(os.getenv("ROWS")) do rows[#rows + 1] = line end
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
local k = 0
request = function()
  k = k % #rows + 1
  return wrk.format(nil, "/predict", nil, rows[k])
end
-- PAUSE: milliseconds that a connection waits before each request, which makes the load one of so many requests per second.
local pause = tonumber(os.getenv("PAUSE"))
if pause then delay = function() return pause end end
done = function(summary, latency)
  local lost = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  io.write(string.format("| %d | %.0f | %.2f | %.2f | %.2f | %.2f | %d | %d |\n", summary.requests,
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    latency:percentile(99.9) / 1e3, latency.max / 1e3, summary.errors.status, lost))
end
