import { after } from "node:test";
import { createAccessKey, type NewAccessKey } from "../../server/access/access-keys.ts";
import { openDatabase } from "../../server/db/open.ts";
import { createOrganization, type Plan } from "../../server/organizations/organizations.ts";
import { type Answer, fetchJson } from "./fetch-json.ts";
import { type Service, startService } from "./service.ts";

export interface AskOptions {
  /** Null: none. Left out: the organization's. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `ask("POST /api/user/orgUser", body)`; a body that is text is sent as it is. */
export type Ask = (request: string, body?: unknown, options?: AskOptions) => Promise<Answer>;

/** Asks a service, with a token unless another one is given. */
export const askAt =
  (service: Pick<Service, "url" | "checkAnswers">, ownToken: string | null): Ask =>
  (request, body, { token = ownToken, headers = {} } = {}) => {
    const [method = "", path = ""] = request.split(" ", 2);
    return fetchJson(service, method, path, {
      headers,
      ...(token === null ? {} : { token }),
      ...(typeof body === "string" ? { raw: body } : { body }),
    });
  };

/** An organization of a test, and how to ask as its access key. */
export interface TestOrganization {
  readonly id: string;
  readonly name: string;
  readonly token: string;
  readonly accessKey: NewAccessKey;
  readonly ask: Ask;
}

/** A service for the tests of one file, and its database beside it, as the command line opens it. */
export const startPlace = async (env: Readonly<Record<string, string>> = {}) => {
  const service = await startService({ env });
  const { databaseUrl, dataDir } = service;
  const database = await openDatabase({ databaseUrl, dataDir });
  after(async () => {
    await database.close();
    await service.stop();
  });
  const open = askAt(service, null);

  /** A new organization with an access key. */
  const organization = async (
    name: string,
    plan: Partial<Plan> = {},
  ): Promise<TestOrganization> => {
    const [{ id }, accessKey] = await database.change(async (tx) => {
      const made = await createOrganization(tx, name, plan);
      return [
        made,
        await createAccessKey({ tx, organization: made, now: made.created_at }),
      ] as const;
    });
    const { body } = await open("POST /api/siteSetting/getAuthToken", accessKey);
    const { token } = body.authToken;
    return { id, name, token, accessKey, ask: askAt(service, token) };
  };
  return { service, database, open, organization };
};
