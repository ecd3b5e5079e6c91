// Makes load with autocannon: reads { plan, connections, seconds } from standard input.
import { text } from "node:stream/consumers";
import autocannon from "autocannon";
import { headersOf, type Plan } from "./plan.ts";

/** Each connection prepares its requests before it starts, so each gets only a part of them. */
const EACH = 128;

const asked: { readonly plan: Plan; readonly connections: number; readonly seconds: number } =
  JSON.parse(await text(process.stdin));
const { asks, tokens, url } = asked.plan;
const requests = asks.map(({ method, path, body }, at) => ({
  method,
  path,
  body,
  headers: headersOf(tokens[at % tokens.length] ?? "", body),
}));
let next = 0;
const result = await autocannon({
  url,
  connections: asked.connections,
  duration: asked.seconds,
  setupClient(client) {
    client.setRequests(
      Array.from({ length: Math.min(EACH, requests.length) }, () => {
        next += 1;
        return requests[next % requests.length] as (typeof requests)[number];
      }),
    );
  },
});
const answer = {
  perSecond: result.requests.total / result.duration,
  medianMs: result.latency.p50,
  requests: result.requests.total,
  failures: result.errors + result.non2xx,
};
process.stdout.write(JSON.stringify(answer));
