// Runs: always

import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import type { AcceptedText } from "../../contract/kit/accepted.ts";
import { organizationSettings } from "../../contract/kit/organization-settings.ts";
import { carriedIn, textOf } from "../../contract/kit/reasons.ts";
import { userSettings } from "../../contract/people/settings.ts";
import { allSettings } from "../../contract/rooms/settings.ts";
import { cliCommands } from "../../server/cli/commands.ts";
import { variables } from "../../server/config/variables.ts";

/*
 * The printed text of each setting is read here, and its check is tried at the bounds that the text names:
 * the last values inside are accepted, the first ones outside are not.
 */

interface Edges {
  readonly inside: readonly string[];
  readonly outside: readonly string[];
}

/** The bounds that a text states; undefined without bounds. */
const edgesOf = (accepted: string): Edges | undefined => {
  const ports = /^two ports from (\d+) to (\d+)/.exec(accepted);
  if (ports) {
    const [from, to] = [Number(ports[1]), Number(ports[2])];
    return { inside: [`${from}-${to}`], outside: [`${from - 1}-${to}`, `${from}-${to + 1}`] };
  }
  const whole = /a whole number (?:of \w+ )?from (\d+) to (\d+)/.exec(accepted);
  if (whole) {
    const [from, to] = [Number(whole[1]), Number(whole[2])];
    return { inside: [`${from}`, `${to}`], outside: [`${from - 1}`, `${to + 1}`, `${from}.5`] };
  }
  const above = /a number of seconds above (\d+), at most (\d+)/.exec(accepted);
  if (above) {
    const [from, to] = [Number(above[1]), Number(above[2])];
    return { inside: [`${from}.001`, `${to}`], outside: [`${from}`, `${to}.001`] };
  }
  const time = /a number of seconds from (\d+) to (\d+)/.exec(accepted);
  if (time) return { inside: [`${time[1]}`, `${time[2]}`], outside: [`${time[2]}.001`] };
  const length = /^(?:none, or at most )?(\d+)(?: to (\d+))? [^:]*(characters|letters|digits)/.exec(
    accepted.replace(/ at both ends$/, ""),
  );
  if (length === null) return undefined;
  const from = Number(length[1]);
  const isMost = accepted.includes("at most");
  const to = Number(length[2] ?? from);
  return {
    inside: ["a".repeat(to), ...(isMost ? [] : ["a".repeat(from)])],
    outside: ["a".repeat(to + 1), ...(isMost || from === 0 ? [] : ["a".repeat(from - 1)])],
  };
};

/** A text without its examples, versions of standards and addresses: any other digit is a bound. */
const withoutExamples = (accepted: string): string =>
  accepted.replaceAll(/such as \S+( or \S+)?|\([\d./]+\)|%\d\w|;.*/g, "");

const keeps = (name: string, { accepted, parse }: AcceptedText<unknown>): boolean => {
  const edges = edgesOf(accepted);
  if (edges === undefined) {
    assert.doesNotMatch(withoutExamples(accepted), /\d/, `${name} has bounds: ${accepted}`);
    return false;
  }
  for (const text of edges.inside) assert.notEqual(parse(text), undefined, `${name} ${text}`);
  for (const text of edges.outside) assert.equal(parse(text), undefined, `${name} ${text}`);
  return true;
};

test("help and errors print the values that the check of an environment variable accepts", () => {
  const bound = Object.values(variables).filter((one) =>
    keeps(one.name, one as AcceptedText<unknown>),
  );
  assert.ok(bound.length >= 20, `${bound.length}`);
});

test("help and errors print the values that the check of an option accepts", () => {
  const bound = cliCommands.flatMap(({ name, options }) =>
    Object.entries(options).filter(
      ([option, { accepts }]) => accepts && keeps(`${name} --${option}`, accepts),
    ),
  );
  assert.ok(bound.length >= 10, `${bound.length}`);
});

test("errors print the values that the check of a setting of rooms, people and organizations accepts", () => {
  /** The answer about a value. */
  const refusal = (schema: z.ZodType, value: unknown): string | undefined => {
    const { error } = schema.safeParse(value);
    return error && textOf(carriedIn(error.issues[0]?.message ?? ""), "it");
  };
  let bounds = 0;
  for (const [name, { create }] of Object.entries({
    ...allSettings,
    ...userSettings,
    ...organizationSettings,
  })) {
    const range = /whole number from (\d+) to (\d+)/.exec(refusal(create, 10 ** 15) ?? "");
    if (range) {
      const [from, to] = [Number(range[1]), Number(range[2])];
      for (const value of [from, to]) assert.equal(refusal(create, value), undefined, name);
      for (const value of [from - 1, to + 1, from + 0.5]) assert.ok(refusal(create, value), name);
      bounds += 1;
    }
    const length = /(?:at most|to) (\d+) characters/.exec(refusal(create, "a".repeat(9_999)) ?? "");
    if (length) {
      const most = Number(length[1]);
      assert.doesNotMatch(refusal(create, "a".repeat(most)) ?? "", /characters$/, name);
      assert.ok(refusal(create, "a".repeat(most + 1)), name);
      bounds += 1;
    }
    const entries = Array.from({ length: 9_999 }, () => "1080p");
    const count = /at most (\d+) (?:entries|IDs)$/.exec(refusal(create, entries) ?? "");
    if (count) {
      const most = Number(count[1]);
      assert.equal(refusal(create, entries.slice(0, most)), undefined, name);
      assert.ok(refusal(create, entries.slice(0, most + 1)), name);
      bounds += 1;
    }
  }
  assert.ok(bounds >= 25, `${bounds}`);
});
