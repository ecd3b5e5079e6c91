// Runs: postgres-first

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { looksBefore } from "../twins/callers.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { type Ask, askAs, insist, outcomeOf } from "../world/ask.ts";
import { count } from "../world/seed.ts";
import type { Tenant } from "../world/tenant.ts";
import { startWorld } from "../world/world.ts";

/** A person who may create rooms, and the change that takes this right away. */
interface Right {
  readonly token: string;
  readonly roomOwnerId: string;
  readonly give: () => Promise<unknown>;
  readonly take: () => ReturnType<Ask>;
  /** How later requests are refused. */
  readonly refusal: string;
  /** The entry in the history that takes the right away. */
  readonly kind: string;
}

const rights: Readonly<Record<string, (tenant: Tenant, url: string) => Promise<Right>>> = {
  "the scope of an access key": async ({ ask, admin }, url) => {
    const { accessKey, secretAccessKey } = (await ask("createAccessKey", {})).body.accessKey;
    const exchanged = await askAs(url, undefined)("getAuthToken", { accessKey, secretAccessKey });
    const edit = (scope: string) => ask("editAccessKey", { accessKey, scope });
    return {
      token: exchanged.body.authToken.token,
      roomOwnerId: admin.id,
      give: () => edit("rooms"),
      take: () => edit("read"),
      refusal: "rooms_scope_needed",
      kind: "accessKeyEdited",
    };
  },
  "what owners may do": async ({ id, ask, addPerson, tokenOf }) => {
    const person = await addPerson(`owner@${id}.example.org`);
    const edit = (ownersMay: string) => ask("editOrganization", { ownersMay });
    return {
      token: await tokenOf(person.id),
      roomOwnerId: person.id,
      give: () => edit("create"),
      take: () => edit("nothing"),
      refusal: "not_allowed",
      kind: "organizationEdited",
    };
  },
};

const PARALLEL = 12;

/** Takes a right away while its holder creates rooms over two processes: the history has the order. */
const race = async (t: TestContext, name: string, rounds: number, twin?: Twin): Promise<void> => {
  const world = await startWorld(t, { twin });
  const tenant = await world.tenant();
  const right = await rights[name]?.(tenant, world.url);
  assert.ok(right);
  const { token, roomOwnerId, give, take, refusal, kind } = right;
  const asks = [world.url, await world.second()].map((url) => insist(askAs(url, token)));
  for (let round = 0; round < rounds; round += 1) {
    await give();
    const creates = Array.from({ length: PARALLEL }, (_, n) =>
      asks[n % 2]?.("createRoom", { name: `${round}.${n}`, roomOwnerId }),
    );
    const [taken, ...made] = await Promise.all([take(), ...creates]);
    assert.equal(taken.status, 200);
    for (const one of made) assert.match(one ? outcomeOf(one) : "", RegExp(`^(ok|${refusal})$`));
    const { entries } = (await tenant.ask("listHistory", { limit: PARALLEL + 1 })).body;
    assert.equal(entries[0].kind, kind, `a room was created after ${name} was taken away`);
  }
};

for (const name of Object.keys(rights)) {
  test(`P-TOK-9: ${name} is checked under the row lock: nothing is created after it was taken away`, (t) =>
    race(t, name, count(5, 50, 2)));

  testTwin(`P-TOK-9: a twin that checks ${name} before it has the row lock is detected`, (t) =>
    assert.rejects(race(t, name, 100, looksBefore), { code: "ERR_ASSERTION" }),
  );
}
