import { type Answer, askOnce } from "../world/ask.ts";
import type { Tenant } from "../world/tenant.ts";
import type { World } from "../world/world.ts";
import type { Command } from "./commands.ts";

const UNKNOWN = "00000000-0000-7000-8000-000000000000";

/** One of the two services, and the records that a sequence created on it. */
export interface Side {
  readonly tenant: Tenant;
  run(command: Command): Promise<Answer>;
  /** The IDs of the accounts that it created, in order. */
  readonly users: readonly string[];
  /** An answer in which everything that may differ is replaced by its meaning. */
  masked(answer: Answer): string;
}

/** Numbered by first appearance: the same account must be the same everywhere. */
const numbered = () => {
  const numbers = new Map<string, number>();
  return (value: string): number => {
    const known = numbers.get(value) ?? numbers.size;
    numbers.set(value, known);
    return known;
  };
};

/** Headers that may differ between answers. */
const passing = new Set(["date", "etag", "x-request-id"]);

export const startSide = (world: World, tenant: Tenant, domain: string): Side => {
  const ask = askOnce(world.url, tenant.token);
  const users: string[] = [];
  const made: Record<string, string[]> = { user: users, room: [] };
  const ids = numbered();
  const rooms = numbered();
  const tags = numbered();
  const resolve = (input: unknown): unknown =>
    JSON.parse(
      JSON.stringify(input)
        .replace(/§(user|room):(\d+)§/g, (_, what: string, number: string) => {
          const all = made[what] ?? [];
          return all[Number(number) % all.length] ?? UNKNOWN;
        })
        .replaceAll("§domain§", domain),
    );
  const mask = (text: string): string =>
    text
      .replace(
        /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g,
        (id) => `id ${ids(id)}`,
      )
      .replace(/"(createdAt|updatedAt)":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, '"$1":"time"')
      .replace(/"profileId":"\d{10}"/g, '"profileId":"digits"')
      .replace(/"username":"([a-z0-9_]*_)\d{6}"/g, '"username":"$1digits"')
      .replace(/"password":"[A-Za-z0-9]{24}"/g, '"password":"secret"')
      .replace(/"letters":\{[^}]*\}/g, '"letters":"as delivered"')
      .replace(/"(\d{10})"/g, (_, room: string) => `"room ${rooms(room)}"`);
  return {
    tenant,
    users,
    async run({ id, input }) {
      const answer = await ask(id, resolve(input));
      if (answer.status === 201) {
        if (answer.body.user) users.push(answer.body.user.id);
        if (answer.body.roomSetting) made.room?.push(answer.body.roomSetting.room);
      }
      // Rows sorted by time must have different times, on both.
      for (const at = Date.now(); Date.now() === at; );
      return answer;
    },
    masked({ status, headers, text }) {
      const kept = [...headers]
        .filter(([name]) => !passing.has(name))
        .map(([name, value]) => [name, name === "etag" ? `tag ${tags(value)}` : value]);
      return `${status} ${JSON.stringify(kept)}\n${mask(text)}`;
    },
  };
};
