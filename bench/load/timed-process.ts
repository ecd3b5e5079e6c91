// Sends one request after the other on one connection and times each. Reads { plan,
// seconds, count } from standard input.
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { type Ask, headersOf, type Plan } from "./plan.ts";
import type { Timed } from "./timed.ts";

const asked: { readonly plan: Plan; readonly seconds: number; readonly count: number } = JSON.parse(
  await text(process.stdin),
);
const { asks, tokens, url } = asked.plan;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const send = (ask: Ask, token: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const { method, path, body } = ask;
    const sent = request(
      url + path,
      { agent, method, headers: headersOf(token, body) },
      (answer) => {
        if ((answer.statusCode ?? 500) >= 300) {
          reject(new Error(`${method} ${path} was answered ${answer.statusCode}.`));
        }
        answer.resume().on("end", resolve).on("error", reject);
      },
    );
    sent.on("error", reject).end(body);
  });

const times: Timed["times"] = {};
const until = performance.now() + asked.seconds * 1000;
for (let at = 0; at < asked.count && (at === 0 || performance.now() < until); at += 1) {
  const ask = asks[at % asks.length] as Ask;
  const from = performance.now();
  await send(ask, tokens[at % tokens.length] ?? "");
  const list = times[ask.label ?? "all"] ?? [];
  times[ask.label ?? "all"] = list;
  list.push(performance.now() - from);
}
agent.destroy();
process.stdout.write(JSON.stringify({ times } satisfies Timed));
