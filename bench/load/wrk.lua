-- Requests of a plan for wrk: one per line, "METHOD<tab>PATH<tab>TOKEN<tab>BODY", round and round.
local requests = {}
local at = 0

function init(args)
  for line in io.lines(args[1]) do
    local method, path, token, body = line:match("^(%S+)\t(%S+)\t(%S+)\t(.*)$")
    local headers = { ["Authorization"] = "Bearer " .. token }
    if body ~= "" then headers["Content-Type"] = "application/json" else body = nil end
    requests[#requests + 1] = wrk.format(method, path, headers, body)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local failures = summary.errors.connect + summary.errors.read + summary.errors.write
    + summary.errors.status + summary.errors.timeout
  io.write(string.format('{"perSecond":%f,"medianMs":%f,"requests":%d,"failures":%d}\n',
    summary.requests / (summary.duration / 1e6), latency:percentile(50) / 1000,
    summary.requests, failures))
end
