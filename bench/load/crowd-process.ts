// People in meetings, each with an address, a seat and a connection of their own. Carries out one CrowdTask after
// the other, and reports each.
import { randomInt } from "node:crypto";
import { Agent, request } from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { connectMeeting, type MeetingConnection } from "../../contract/meeting-client.ts";
import { type Act, acts, type CrowdReport, type CrowdTask } from "./crowd.ts";

type Come = Extract<CrowdTask, { readonly do: "come" }>;

/** How many people are on their way at once. */
const AT_ONCE = 32;
/** The Retry-After for a person who comes while the service is busy. */
const RETRY_MS = 1_000;
/** How long a person waits for others to read a message. */
const PATIENCE_MS = 60_000;

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
const begin = () => ({
  times: { chat: [], hand: [], again: [], seen: [] } as Record<Act | "seen", number[]>,
  failed: 0,
  lost: 0,
  busy: 0,
});
let seen = begin();
/** Messages that not everybody has read yet, by their texts. */
const unread = new Map<
  string,
  { readonly from: number; left: number; readonly read: () => void }
>();

interface Seat {
  readonly ticket: string;
  readonly socket: string;
}

/** Somebody with an address of their own. */
class Person {
  readonly #task: Come;
  readonly #url: string;
  readonly #code: string;
  readonly #headers: Readonly<Record<string, string>> = {
    "x-forwarded-for": `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`,
  };
  #meeting: MeetingConnection | undefined;
  #isUp = false;

  constructor(task: Come, url: string, code: string) {
    this.#task = task;
    this.#url = url;
    this.#code = code;
  }

  get code(): string {
    return this.#code;
  }

  get isInside(): boolean {
    return this.#meeting?.state === "connected";
  }

  /** Takes a seat and connects. */
  async come(): Promise<void> {
    const seat = await this.#join();
    const headers = this.#headers;
    const connected = Promise.withResolvers<void>();
    this.#meeting = connectMeeting({
      ...seat,
      baseUrl: this.#url,
      WebSocket: class extends WebSocket {
        constructor(address: string) {
          super(address, { headers, perMessageDeflate: false });
        }
      } as never,
      onState(state) {
        if (state === "connected") connected.resolve();
        if (state === "lost") seen.lost += 1;
      },
      onChat: (messages) => {
        for (const { text } of messages) this.#reads(text);
      },
    });
    void this.#meeting.ended.then(({ message }) => connected.reject(new Error(message)));
    await connected.promise;
  }

  async leave(): Promise<void> {
    await this.#meeting?.leave();
  }

  /** Resolves once the service has replied. */
  async act(act: Act): Promise<void> {
    const meeting = this.#meeting;
    if (meeting === undefined) throw new Error("Nobody is here.");
    if (act === "hand") {
      this.#isUp = !this.#isUp;
      await meeting.send("hand", { up: this.#isUp });
    } else if (act === "chat") await this.write();
    else {
      await this.leave();
      await this.come();
    }
  }

  /** Writes in the chat. @returns what resolves once all others have read it */
  async write(): Promise<{ readonly read: Promise<void> }> {
    const text = `Message ${randomInt(2 ** 47)}`;
    const { promise, resolve } = Promise.withResolvers<void>();
    const others = inside().filter(({ code }) => code === this.#code).length;
    unread.set(text, { from: performance.now(), left: others, read: resolve });
    await this.#meeting?.send("chat", { text });
    return { read: promise };
  }

  #reads(text: string): void {
    const message = unread.get(text);
    if (message === undefined) return;
    message.left -= 1;
    if (message.left > 0) return;
    unread.delete(text);
    seen.times.seen.push(performance.now() - message.from);
    message.read();
  }

  /** Asks for a seat until the service is not busy. */
  async #join(): Promise<Seat> {
    for (;;) {
      const answer = await this.#ask();
      if (answer !== "busy") return answer;
      seen.busy += 1;
      await sleep(RETRY_MS);
    }
  }

  #ask(): Promise<Seat | "busy"> {
    const { peerType, token } = this.#task;
    const body = { roomId: this.#code, peerName: "Guest", peerType };
    const headers = {
      ...this.#headers,
      "content-type": "application/json",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    return new Promise((resolve, reject) => {
      request(`${this.#url}/api/meeting/joinRoom`, { agent, method: "POST", headers }, (answer) => {
        const read = json(answer) as Promise<Seat>;
        if (answer.statusCode === 503) read.then(() => resolve("busy"), reject);
        else if (answer.statusCode === 200) read.then(resolve, reject);
        else read.then((said) => reject(new Error(JSON.stringify(said))), reject);
      })
        .on("error", reject)
        .end(JSON.stringify(body));
    });
  }
}

const people: Person[] = [];
const inside = (): Person[] => people.filter(({ isInside }) => isInside);
/** A person who is inside; undefined if a few random ones are not. */
const anybody = (): Person | undefined =>
  Array.from({ length: 10 }, () => people[randomInt(people.length)]).find((one) => one?.isInside);

/** Does something for each, a few at a time. */
const forEach = async <T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> => {
  const left = all.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const one of left) await work(one);
    }),
  );
};

/** Does one kind of act at its rate; returns the acts still under way. */
const actOn = async (act: Act, perSecond: number, until: number): Promise<Promise<void>[]> => {
  const begun: Promise<void>[] = [];
  const one = async (): Promise<void> => {
    const from = performance.now();
    try {
      const person = anybody();
      if (person === undefined) throw new Error("Nobody is inside.");
      await person.act(act);
      seen.times[act].push(performance.now() - from);
    } catch {
      seen.failed += 1;
    }
  };
  const first = performance.now();
  while (performance.now() < until) {
    const due = Math.floor(((performance.now() - first) / 1000) * perSecond) + 1;
    while (begun.length < due) begun.push(one());
    await sleep(20);
  }
  return begun;
};

const carryOut = async (task: CrowdTask): Promise<void> => {
  if (task.do === "come") {
    const coming = task.codes.flatMap((code, at) =>
      Array.from({ length: task.each }, (_, n) => {
        const url = task.urls[(at + n) % task.urls.length] ?? "";
        return new Person(task, url, code);
      }),
    );
    await forEach(coming, async (person) => {
      people.push(person);
      await person.come().catch(() => {
        seen.failed += 1;
      });
    });
  } else if (task.do === "act") {
    const until = performance.now() + task.seconds * 1000;
    const begun = await Promise.all(acts.map((act) => actOn(act, task.perSecond[act], until)));
    await Promise.all(begun.flat());
    unread.clear();
  } else if (task.do === "write") {
    const writer = inside().find(({ code }) => code === task.code);
    const read = (await writer?.write())?.read;
    await Promise.race([read, sleep(PATIENCE_MS, undefined, { ref: false })]);
  } else {
    await forEach(people.splice(0), (person) => person.leave().catch(() => {}));
  }
};

process.on("message", async (task: CrowdTask) => {
  seen = begin();
  const from = performance.now();
  await carryOut(task);
  const seconds = (performance.now() - from) / 1000;
  process.send?.({ ...seen, seconds, inside: inside().length } satisfies CrowdReport);
});
