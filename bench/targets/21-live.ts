import { WebSocket } from "ws";
import type { ServerMessage } from "../../contract/meetings/socket.ts";
import { openSignaling } from "../../test/meetings/rush.ts";
import { type Bench, databases } from "../bench.ts";
import type { DatabaseName } from "../dataset.ts";
import { openVisitors, type Visitors } from "../meetings/browser.ts";
import { type MeetingPlace, openMeetingPlace } from "../meetings/place.ts";
import { interleave } from "../rounds.ts";
import { type Figure, target } from "../target.ts";

/*
 * How soon people inside learn of a change. Each round is the slowest of a few tries: a promise of two
 * seconds concerns the slowest try, and the delay depends on when each process last looked.
 */

const TRIES = 10;
/** Only a few, because tabs are slow to open. */
const TABS = 3;
const LOOK_MS = 5;
const WAIT_MS = 60_000;

/** Waits until the condition is true, checking often: a measured step takes a few milliseconds. */
const untilSo = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  const from = performance.now();
  while (!(await holds())) {
    if (performance.now() - from > WAIT_MS) throw new Error(`Waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
};

/** A person with a meeting socket. */
interface Listener {
  /** Resolves with the next message that satisfies the condition. */
  hears(holds: (message: ServerMessage) => boolean): Promise<ServerMessage>;
  close(): void;
}

/** Enters with a ticket. Resolves once inside. */
const listen = async (url: string, ticket: string): Promise<Listener> => {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/api/meeting/socket`);
  const hears: Listener["hears"] = (holds) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("Nothing was told.")), WAIT_MS);
      socket.on("message", function take(data) {
        const message = JSON.parse(String(data)) as ServerMessage;
        if (!holds(message)) return;
        clearTimeout(timer);
        socket.off("message", take);
        resolve(message);
      });
    });
  socket.on("error", () => {});
  socket.once("open", () => socket.send(JSON.stringify({ ticket })));
  await hears(({ type }) => type === "welcome");
  return { hears, close: () => socket.terminate() };
};

/** The measurements in one place, by people on one of its processes. */
const openTries = async (place: MeetingPlace, url: string) => {
  const room = `live-${new URL(url).port}`;
  // More seats than people: a seat becomes free only a moment after LiveKit has let its person go.
  const code = await place.room({ room, noOfParticipants: 20 });
  const listener = await listen(url, (await place.join(code, "participant")).ticket);
  let isOn = true;

  /** From the request that edits a setting to its arrival. */
  const edit = async (): Promise<number> => {
    isOn = !isOn;
    const from = performance.now();
    const heard = listener
      .hears((message) => message.type === "changed" && message.allowed?.chat === isOn)
      .then(() => performance.now() - from);
    const [took] = await Promise.all([heard, place.edit(room, { enableChatOption: isOn })]);
    return took;
  };

  /** From the request that removes somebody until their socket has ended, and until the engine has let go. */
  const removal = async (): Promise<{ readonly told: number; readonly out: number }> => {
    const { peerId, ticket } = await place.join(code, "participant");
    const removed = await listen(url, ticket);
    const signaling = await openSignaling(url, ticket);
    if (typeof signaling === "number") throw new Error(`The gate answered ${signaling}.`);
    const isInside = async () => (await place.inside()).has(peerId);
    await untilSo("the engine has the person", isInside);
    const from = performance.now();
    const told = removed.hears(({ type }) => type === "ended").then(() => performance.now() - from);
    const out = untilSo("the engine has let go", async () => !(await isInside())).then(
      () => performance.now() - from,
    );
    const [, toldMs, outMs] = await Promise.all([
      place.ask("removePeer", { roomId: room, peerId }),
      told,
      out,
    ]);
    signaling.terminate();
    return { told: toldMs, out: outMs };
  };

  return {
    /** The slowest of some tries, in milliseconds. */
    async round() {
      const slowest = { edited: 0, told: 0, out: 0 };
      for (let n = 0; n < TRIES; n += 1) {
        const edited = await edit();
        const { told, out } = await removal();
        slowest.edited = Math.max(slowest.edited, edited);
        slowest.told = Math.max(slowest.told, told);
        slowest.out = Math.max(slowest.out, out);
      }
      return slowest;
    },
    close: listener.close,
  };
};

/** From the moment a tab closes to the moment its seat is free, in milliseconds. */
const closedTab = async (
  place: MeetingPlace,
  visitors: Visitors,
  settings: { readonly room: string; readonly roomType: string },
) => {
  const { room } = settings;
  const code = await place.room({ ...settings, noOfModerators: 1, noOfParticipants: 1 });
  // Keeps the meeting running.
  const stays = await listen(place.url, (await place.joinAsAdmin(room)).ticket);
  const profile = await visitors.profile();
  const taken = async (): Promise<number> =>
    (await place.ask("getMeeting", { roomId: room })).body.meeting.seats.participant.taken;
  const measure = async (): Promise<number> => {
    const { page } = await visitors.enter(profile, `${place.url}/m/${code}`, "Ann");
    await page.getByRole("button", { name: "Leave" }).waitFor();
    if (settings.roomType !== "p2p") {
      await untilSo("the engine has the person", async () => (await place.inside()).size > 0);
    }
    const from = performance.now();
    const goes = page.goto("about:blank");
    await untilSo("the seat is free", async () => (await taken()) === 0);
    const took = performance.now() - from;
    await goes;
    await page.close();
    return took;
  };
  return {
    /** The slowest of some tabs, in milliseconds. */
    async round() {
      let slowest = 0;
      for (let n = 0; n < TABS; n += 1) slowest = Math.max(slowest, await measure());
      return slowest;
    },
    close: stays.close,
  };
};

const within = (seconds: number) => ({ unit: "ms", goal: { atMost: seconds * 1000 } }) as const;

const measureOn = async (
  bench: Bench,
  database: DatabaseName,
  visitors: Visitors,
): Promise<readonly Figure[]> => {
  const place = await openMeetingPlace(bench, database);
  const second = database === "PostgreSQL" ? await place.second() : undefined;
  const processes = [
    { where: "on the same process", url: place.url },
    ...(second ? [{ where: "on another process", url: second.url }] : []),
  ];
  const figures: Figure[] = [];
  for (const { where, url } of processes) {
    const tries = await openTries(place, url);
    const { seen } = await interleave(bench.rounds, { seen: tries.round });
    tries.close();
    figures.push(
      {
        what: `an edit of a switch until it reaches a person ${where}`,
        database,
        rounds: seen.map(({ edited }) => edited),
        ...within(2),
        note: `the slowest of ${TRIES} in each round, as in all of this row`,
      },
      {
        what: `a removal until the socket of a person ${where} has ended`,
        database,
        rounds: seen.map(({ told }) => told),
        ...within(2),
      },
      {
        what: `a removal until LiveKit has put out a person ${where}`,
        database,
        rounds: seen.map(({ out }) => out),
        ...within(2),
      },
    );
  }
  await second?.stop();
  const ways = {
    engine: await closedTab(place, visitors, { room: "live-tab", roomType: "conferencing" }),
    direct: await closedTab(place, visitors, { room: "live-pair", roomType: "p2p" }),
  };
  const { engine, direct } = await interleave(bench.rounds, {
    engine: ways.engine.round,
    direct: ways.direct.round,
  });
  for (const { close } of Object.values(ways)) close();
  await place.stop();
  return [
    ...figures,
    {
      what: "a closed tab until its seat is free, through LiveKit",
      database,
      rounds: engine,
      ...within(1),
      note: `the slowest of ${TABS} tabs in each round`,
    },
    {
      what: "the same, directly",
      database,
      rounds: direct,
      ...within(1),
      note: `the slowest of ${TABS} tabs in each round`,
    },
  ];
};

export const live = target({
  number: 21,
  section: "meetings",
  title: "Changes that people inside feel",
  async measure(bench) {
    const visitors = await openVisitors();
    const figures: Figure[] = [];
    for (const database of databases) figures.push(...(await measureOn(bench, database, visitors)));
    await visitors.close();
    return figures;
  },
});
