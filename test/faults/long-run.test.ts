// Runs: both

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { inputCheck } from "../../server/http/check.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import type { Ask } from "../world/ask.ts";
import { onPostgres } from "../world/empty-database.ts";
import { openHouse } from "../world/house.ts";
import { startProcess } from "../world/process.ts";
import { type Dice, rollDice, soaking } from "../world/seed.ts";
import type { Tenant } from "../world/tenant.ts";
import { gauged, inMib, readGauges } from "./gauges.ts";

const skip =
  (!soaking && "takes minutes: in the long run only") ||
  (process.platform !== "linux" && "needs Linux, which tells how many files are open");

const MINUTES = Number(process.env.PARLEY_SOAK_MINUTES ?? 5);
const CLIENTS = 6;
const ROOMS = 300;
/** The interval of the measurements. */
const LOOK_MS = 2_000;
const MIB = 2 ** 20;

/** Keeps a part of every request. */
const keeps: Twin = {
  name: "keeps something of every request",
  replaced: [
    {
      file: "http/check.ts",
      export: "inputCheck",
      by: (real: typeof inputCheck): typeof inputCheck => {
        const kept: Buffer[] = [];
        return (operation) => {
          const whole = real(operation);
          const check = (raw: unknown) => {
            kept.push(Buffer.alloc(20_000, 1));
            return whole.check(raw);
          };
          return { ...whole, check };
        };
      },
    },
  ],
};

/** The resources that a service uses at one moment. */
interface Taken {
  readonly minutes: number;
  readonly memory: number;
  readonly files: number;
  /** The size of the WAL, on SQLite. */
  readonly wal: number;
}

/** One client's turn: a change or a read; the number of rooms and people stays about the same. */
const turn = async (ask: Ask, { admin }: Tenant, dice: Dice, room: string): Promise<void> => {
  const named = { room, roomOwnerId: admin.id };
  const roomAgenda = "x".repeat(dice.roll(4_000));
  switch (dice.roll(6)) {
    case 0:
      await ask("createRoom", { ...named, name: "R", roomAgenda });
      break;
    case 1:
      await ask("deleteRoom", { id: room });
      break;
    case 2:
      await ask("editRoom", { ...named, roomAgenda });
      break;
    case 3:
      await ask("listRooms", { page: 1 + dice.roll(5), limit: 25 });
      break;
    case 4:
      await ask("fetchUsers", { role: "moderator" });
      break;
    default:
      await ask("fetchRoom", { id: room });
  }
};

/** The growth of memory, in bytes per minute: the slope of the best-fitting line. */
const slopeOf = (all: readonly Taken[]): number => {
  const mean = (of: (one: Taken) => number) =>
    all.reduce((sum, one) => sum + of(one), 0) / all.length;
  const [time, memory] = [mean(({ minutes }) => minutes), mean((one) => one.memory)];
  const along = mean((one) => (one.minutes - time) * (one.memory - memory));
  return along / mean((one) => (one.minutes - time) ** 2);
};

const longRun = async (t: TestContext, minutes: number, twin?: Twin): Promise<void> => {
  const dice = rollDice(t);
  const house = await openHouse(t, { environment: gauged });
  const tenant = await house.beside((world) => world.tenant());
  const service = await startProcess(t, house.environment, { twin });
  const ask = tenant.askAt(service.url);
  const begun = performance.now();
  const soFar = () => (performance.now() - begun) / 60_000;
  let asked = 0;
  const clients = Array.from({ length: CLIENTS }, async () => {
    for (; soFar() < minutes; asked += 1) {
      await turn(ask, tenant, dice, `r-${dice.roll(ROOMS)}`);
      await sleep(dice.roll(20));
    }
  });
  const taken: Taken[] = [];
  const watching = (async () => {
    for (; soFar() < minutes; await sleep(LOOK_MS)) {
      const wal = onPostgres
        ? 0
        : statSync(join(house.environment.DATA_DIR ?? "", "parley.db-wal")).size;
      taken.push({ minutes: soFar(), wal, ...(await readGauges(service.url)) });
    }
  })();
  await Promise.all([...clients, watching]);
  // At first, code is compiled and caches fill.
  const later = taken.filter((one) => one.minutes > minutes / 3);
  const most = (of: (one: Taken) => number) => Math.max(...later.map(of));
  const files = most((one) => one.files) - Math.min(...later.map((one) => one.files));
  const wal = Math.max(...taken.map((one) => one.wal));
  const slope = slopeOf(later);
  t.diagnostic(
    `${minutes} minutes, ${asked} requests; memory at most ${inMib(most((one) => one.memory))}, ` +
      `${(slope / MIB).toFixed(2)} MiB more a minute; ${files} files more or less; WAL ${inMib(wal)}`,
  );
  assert.ok(wal < 64 * MIB, `the WAL has ${inMib(wal)}`);
  // Connections that clients keep, and those of the pool, come and go.
  assert.ok(files < 2 * CLIENTS + 20, `${files} files more`);
  assert.ok(slope < 8 * MIB, `its memory grows by ${inMib(slope)} a minute`);
};

test(
  "P-OPS-11: under minutes of mixed load WAL, open files and memory stay bounded",
  {
    skip,
  },
  (t) => longRun(t, MINUTES),
);

testTwin(
  "P-OPS-11: a twin that keeps a part of every request, so that memory grows, is detected",
  async (t) => {
    await assert.rejects(longRun(t, 0.5, keeps), /its memory grows/);
  },
  { skip },
);
