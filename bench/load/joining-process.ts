// People who join rooms and leave them, each time as a new guest, one request after the other. Reads { url,
// codes, people, seconds } from standard input; each person is assigned one of the rooms.
import { randomInt } from "node:crypto";
import { Agent, request } from "node:http";
import { json, text } from "node:stream/consumers";
import type { Joined, Joining } from "./joining.ts";

const { url, codes, people, seconds }: Joining = JSON.parse(await text(process.stdin));
const agent = new Agent({ keepAlive: true });

const post = (path: string, body: object): Promise<{ readonly ticket: string }> =>
  new Promise((resolve, reject) => {
    const from = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
    const headers = { "content-type": "application/json", "x-forwarded-for": from };
    request(url + path, { agent, method: "POST", headers }, (answer) => {
      const read = json(answer) as Promise<{ readonly ticket: string }>;
      if (answer.statusCode === 200) read.then(resolve, reject);
      else reject(new Error(`${path} was answered ${answer.statusCode}.`));
    })
      .on("error", reject)
      .end(JSON.stringify(body));
  });

let joins = 0;
const from = performance.now();
const until = from + seconds * 1000;
await Promise.all(
  Array.from({ length: people }, async (_, at) => {
    const roomId = codes[at % codes.length];
    while (performance.now() < until) {
      const { ticket } = await post("/api/meeting/joinRoom", { roomId, peerName: `Guest ${at}` });
      joins += 1;
      await post("/api/meeting/leaveRoom", { ticket });
    }
  }),
);
const perSecond = (joins / (performance.now() - from)) * 1000;
agent.destroy();
process.stdout.write(JSON.stringify({ perSecond } satisfies Joined));
