import type { readDevice } from "../../server/access/devices.ts";
import type { signIn } from "../../server/access/sessions.ts";
import type { findAgain } from "../../server/access/tokens.ts";
import type { openOrganization } from "../../server/change/organization.ts";
import type { keepAdministrator } from "../../server/users/administrators.ts";
import type { Twin } from "./twin.ts";

/** Identifies the caller from the head of a request, and never checks again. */
export const looksOnce: Twin = {
  name: "looks at its caller once",
  replaced: [
    {
      file: "access/tokens.ts",
      export: "findAgain",
      by: (): typeof findAgain => async (_find, known) => known,
    },
  ],
};

/** Checks again once a body has arrived, but not under the lock of the row that it changes. */
export const looksBefore: Twin = {
  name: "looks at its caller before it takes the row",
  replaced: [
    {
      file: "change/organization.ts",
      export: "openOrganization",
      by:
        (real: typeof openOrganization): typeof openOrganization =>
        (database, id, known) =>
          real(database, id, known),
    },
  ],
};

/** Lets people take each other's rights away with the rights that they had when they sent the request. */
export const takesEveryAdministrator: Twin = {
  name: "takes every administrator",
  replaced: [
    ...looksOnce.replaced,
    {
      file: "users/administrators.ts",
      export: "keepAdministrator",
      by: (): typeof keepAdministrator => async () => {},
    },
  ],
};

/** Recognizes no device. */
export const forgetsDevices: Twin = {
  name: "forgets devices",
  replaced: [
    {
      file: "access/devices.ts",
      export: "readDevice",
      by: (): typeof readDevice => () => undefined,
    },
  ],
};

/** Recognizes an account, and so its devices, whichever password it has. */
export const keepsDevices: Twin = {
  name: "keeps devices",
  replaced: [
    {
      file: "db/account.ts",
      lines: '.where("credentials", "=", named.credentials)',
      by: "",
    },
  ],
};

/** Counts everybody's tries of a room's password as a stranger's. */
export const knowsNobodyAtTheDoor: Twin = {
  name: "knows nobody who gives a room's password",
  replaced: [
    {
      file: "meetings/doors/entry-checks.ts",
      lines: "account !== null || (await isNoted(database.read, gave))",
      by: "false",
    },
  ],
};

/** Counts tries by account if there is one, and by the typed login if there is none. */
export const keysByAccount: Twin = {
  name: "counts tries by account",
  replaced: [
    {
      file: "access/sessions.ts",
      export: "signIn",
      by:
        (real: typeof signIn): typeof signIn =>
        async (service, given) => {
          const { emailKey } = await import("../../contract/kit/fields.ts");
          const typed = given.login.toLowerCase();
          const account = await service.database.read
            .selectFrom("users")
            .select("id")
            .where(({ eb, or }) =>
              or([eb("email_key", "=", emailKey(typed) ?? ""), eb("username", "=", typed)]),
            )
            .executeTakeFirst();
          const login = account ? given.login : Buffer.from(typed).toString("hex");
          return real(service, { ...given, login });
        },
    },
  ],
};
