import type { Client } from "../../contract/client.ts";
import { toLine } from "../../contract/kit/plain.ts";
import { noAnswer } from "../lib/no-answer.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { type Called, CommandError, UsageError } from "./command.ts";
import { configurationOf, installationSettings } from "./environment.ts";

/** The most characters of a service's message. */
const LONGEST_WORDS = 300;

/** A service for a command, and the source of its access key. */
interface Wanted {
  /** As given on the command line; omitted: this installation's. */
  readonly url?: string | undefined;
  readonly keys: readonly [accessKey: string, secretAccessKey: string];
}

/** The variables of the access key for the target of an import or the source of an export. */
export const OWN_KEY = ["PARLEY_ACCESS_KEY", "PARLEY_SECRET_ACCESS_KEY"] as const;
/** The same for the service from which everything moves. */
export const SOURCE_KEY = ["PARLEY_FROM_ACCESS_KEY", "PARLEY_FROM_SECRET_ACCESS_KEY"] as const;

const parse = (url: string): string => {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageError(`${JSON.stringify(url)} is not the address of a service.`);
  }
  return url.replace(/\/$/, "");
};

/**
 * A service's client, with an access key from the environment, because everybody on the machine
 * sees a command line.
 *
 * @throws CommandError if the access key is not set
 */
export const openService = async (
  called: Called,
  { url, keys }: Wanted,
): Promise<{ readonly client: Client; readonly baseUrl: string }> => {
  const { environment } = installationSettings(called);
  const baseUrl = url === undefined ? configurationOf(called).publicUrl : parse(url);
  const [accessKey, secretAccessKey] = keys.map((name) => environment[name] ?? "");
  if (!accessKey || !secretAccessKey) {
    throw new CommandError(
      `Set ${keys.join(" and ")} to an access key of ${baseUrl}: "parley access-key create" makes one.`,
    );
  }
  const { createClient, tokensByAccessKey } = await import("../../contract/client.ts");
  const fetch = boundedFetch();
  const token = tokensByAccessKey({ baseUrl, accessKey, secretAccessKey, fetch });
  // Other fields of answers are skipped on purpose.
  return {
    client: createClient({ retries: 0, baseUrl, token, fetch, onIgnored: () => {} }),
    baseUrl,
  };
};

/**
 * Runs work on services; turns their errors into one line.
 *
 * @throws CommandError
 */
export const withServices = async <T>(work: () => Promise<T>): Promise<T> => {
  const { ParleyError } = await import("../../contract/client.ts");
  try {
    return await work();
  } catch (error) {
    if (error instanceof ParleyError)
      throw new CommandError(toLine(error.message).slice(0, LONGEST_WORDS));
    if (error instanceof TypeError && error.message === "fetch failed") {
      throw new CommandError(`The service could not be used: ${noAnswer(error)}`);
    }
    throw error;
  }
};
