import { meter } from "../lib/measured.ts";
import { inThisSpan, noteInSpan, traced, tracePlace } from "../lib/traced.ts";
import type { Work } from "./changes.ts";
import type { Database } from "./open.ts";

const systems = { sqlite: "sqlite", postgres: "postgresql" } as const;

/** Runs a change in a span, and measures its parts. */
const watched = <T>(
  system: Database["name"],
  work: Work<T>,
  run: (work: Work<T>) => Promise<T>,
): Promise<T> => {
  const asked = performance.now();
  const carryOut = async (): Promise<T> => {
    let began = asked;
    let worked = asked;
    // Changes share a transaction, which belongs to the request of one of them.
    const inside = inThisSpan<Parameters<Work<T>>, Promise<T>>(async (tx, send) => {
      began = performance.now();
      noteInSpan("begun");
      try {
        return await work(tx, send);
      } finally {
        worked = performance.now();
        noteInSpan("worked");
      }
    });
    try {
      return await run(inside);
    } finally {
      const commitMs = worked === asked ? 0 : performance.now() - worked;
      meter("change", { waitMs: began - asked, workMs: worked - began, commitMs });
    }
  };
  // Work that a process does by itself, every second, is not traced.
  if (tracePlace() === undefined) return carryOut();
  const attributes = { "db.system.name": systems[system] };
  return traced("change", { kind: "client", attributes }, carryOut);
};

/** The database of a service that traces or measures: each change is one span, whatever it asks the database. */
export const watchChanges = (database: Database): Database => ({
  ...database,
  change: (work, organizationId) =>
    watched(database.name, work, (inside) => database.change(inside, organizationId)),
  changeInTurn: (key, work) =>
    watched(database.name, work, (inside) => database.changeInTurn(key, inside)),
});
