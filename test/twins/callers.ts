import type { Replacement, Twin } from "./twin.ts";

const changesLookOnce: Replacement = {
  file: "access/caller.ts",
  lines: "async (tx) => (await recheck(tx, auth, access)).caller,",
  by: "async () => auth.caller,",
};

/** Knows who calls from the head of a request, and never looks again. */
export const looksOnce: Twin = {
  name: "looks at its caller once",
  replaced: [
    { file: "http/route.ts", lines: "if (auth && request.isLate) {", by: "if (false) {" },
    changesLookOnce,
  ],
};

/** Looks again once a body has arrived, and not under the row that it changes. */
export const looksBefore: Twin = {
  name: "looks at its caller before it takes the row",
  replaced: [changesLookOnce],
};

/** Lets people take each other's rights away by what they might do when they asked. */
export const takesEveryAdministrator: Twin = {
  name: "takes every administrator",
  replaced: [
    ...looksOnce.replaced,
    {
      file: "users/administrators.ts",
      lines: 'if (!person || !isActiveAdministrator(person)) refuse("last_administrator");',
      by: "",
    },
  ],
};

/** Knows no device again. */
export const forgetsDevices: Twin = {
  name: "forgets devices",
  replaced: [
    {
      file: "access/sessions.ts",
      lines: "const device = readDevice(seal, cookie);",
      by: "const device = cookie === '' ? readDevice(seal, cookie) : undefined;",
    },
  ],
};

/** Counts tries for the account where there is one, and for what was typed where there is none. */
export const keysByAccount: Twin = {
  name: "counts tries by account",
  replaced: [
    {
      file: "access/sessions.ts",
      lines: "const stranger: Tried = { login: spelling, address };",
      by: `const account = await findLogin(database.read, spelling.includes("@") ? { emailKey: spelling } : { username: spelling });
      const stranger = { login: account?.id ?? login.toLowerCase(), address };`,
    },
  ],
};
