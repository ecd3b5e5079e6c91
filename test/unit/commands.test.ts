import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { operations } from "../../contract/index.ts";
import { commands as inputs } from "../../contract/meetings/commands.ts";
import { root } from "../../packaging/folder.ts";
import { entitled, type Who } from "../../server/socket/current-seat.ts";
import { openMeetingCommands } from "../../server/socket/registry.ts";

const registry = openMeetingCommands({
  seal: { seal: String, open: String, source: "nowhere" },
  canTranscribe: false,
  takesLanguage: false,
  isAllowed: () => false,
});
const named = Object.entries(registry);
const reference = readFileSync(join(root, "docs/interface.md"), "utf8");

/** The names of the commands that these may send. */
const by = (who: Who) => named.filter(([, command]) => command.who === who).map(([name]) => name);

test("the registry has every command of the socket", () => {
  assert.deepEqual(Object.keys(registry).sort(), Object.keys(inputs).sort());
});

test("the reference names the commands of which a person sends fewer, because others see them", () => {
  const [, names = ""] = /after that; of ([^;]*?) 30 at once/.exec(reference) ?? [];
  const seen = named.filter(([, { counts }]) => counts === "changes").map(([name]) => name);
  assert.deepEqual([...names.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort(), seen.sort());
});

test("waiting people may only leave; a beat and a signal change nothing", () => {
  assert.deepEqual(by("everybody"), ["leave", "signal", "beat"]);
});

test("a moderator's command is an operation of the same name; a person's own command is none", () => {
  assert.deepEqual(
    by("moderators").sort(),
    Object.keys(operations)
      .filter((id) => Object.hasOwn(inputs, id))
      .sort(),
  );
  for (const [name, { who, bind }] of named) {
    const bound = bind?.((operation) => operation.id);
    // Its operation also ends a recording by the recording's ID.
    if (name === "stopRecording") assert.equal(bound, undefined);
    else assert.equal(bound, who === "moderators" ? name : undefined, name);
  }
});

test("a seat sends what its role and its state allow, until its meeting ends", () => {
  const states = ["claimed", "inside", "away", "waiting", "returning", "leaving", "left"] as const;
  const roles = ["moderator", "participant", "viewer", "recorder"] as const;
  const answers = (who: Who, ended_at: string | null) =>
    Object.fromEntries(
      states.map((state) => [
        state,
        roles.filter((role) => {
          try {
            return entitled({ seat: { state, role }, meeting: { ended_at } }, who);
          } catch {
            return false;
          }
        }),
      ]),
    );
  const nobody = Object.fromEntries(states.map((state) => [state, []]));
  const inside = (who: readonly string[]) => ({ ...nobody, claimed: who, inside: who, away: who });
  assert.deepEqual(answers("moderators", null), inside(["moderator"]));
  assert.deepEqual(answers("people inside", null), inside(roles));
  assert.deepEqual(answers("everybody", null), { ...inside(roles), waiting: roles });
  for (const who of ["moderators", "people inside", "everybody"] as const)
    assert.deepEqual(answers(who, "2026-01-01T00:00:00.000Z"), nobody);
  assert.throws(() => entitled(undefined, "everybody"), { code: "ticket_ended" });
  assert.throws(
    () =>
      entitled(
        { seat: { state: "inside", role: "viewer" }, meeting: { ended_at: null } },
        "moderators",
      ),
    { code: "moderators_only" },
  );
});
