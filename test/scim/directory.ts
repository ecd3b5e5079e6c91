import type { Scope } from "../../contract/kit/scopes.ts";
import { PARLEY_SCHEMA, PATCH, USER_SCHEMA } from "../../server/scim/names.ts";
import { type Answer, bearer, send } from "../world/ask.ts";
import type { TestOrganization } from "../world/tenant.ts";

/** Sends a request below /scim/v2. */
export type AskScim = (
  request: `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

/** The requests of a directory with this token. */
export const asDirectory =
  (url: string, token: string): AskScim =>
  async (request, body, headers = {}) => {
    const [method = "", path = ""] = request.split(/ (.*)/);
    const answer = await send(
      url,
      {
        method,
        path: `/scim/v2${path}`,
        body: typeof body === "string" || body === undefined ? body : JSON.stringify(body),
      },
      { "content-type": "application/scim+json", ...bearer(token), ...headers },
    );
    return { ...answer, body: answer.text === "" ? undefined : JSON.parse(answer.text) };
  };

/** The directory of an organization, with an access key of its own. */
export const directoryOf = async (
  url: string,
  { ask }: Pick<TestOrganization, "ask">,
  scope: Scope = "scim",
): Promise<{ readonly accessKey: string; readonly token: string; readonly scim: AskScim }> => {
  const made = (await ask("createAccessKey", { scope, name: "Directory" })).body.accessKey;
  const token = `${made.accessKey}.${made.secretAccessKey}`;
  return { accessKey: made.accessKey, token, scim: asDirectory(url, token) };
};

/** A person as directories create them. */
export const personNamed = (userName: string, more: object = {}) => ({
  schemas: [USER_SCHEMA, PARLEY_SCHEMA],
  userName,
  externalId: `id of ${userName}`,
  name: { givenName: "Ann", familyName: "Lee" },
  displayName: "Ann Lee",
  emails: [{ value: userName, type: "work", primary: true }],
  active: true,
  ...more,
});

/** A request to change something. */
export const patchOf = (...operations: readonly object[]) => ({
  schemas: [PATCH],
  Operations: operations,
});
