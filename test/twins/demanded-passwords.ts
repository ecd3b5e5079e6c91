import type { Twin } from "./twin.ts";

/** Opens a session by a password that must be replaced. */
export const demandsNoPassword: Twin = {
  name: "opens sessions by passwords that must be replaced",
  replaced: [
    {
      file: "access/tickets.ts",
      lines: "if (user.must_choose_password) await sendOn",
      by: "if (false) sendOn",
    },
  ],
};

/** Ignores changes of the account since the ticket was made. */
export const trustsTickets: Twin = {
  name: "chooses a password by a ticket whatever has happened since",
  replaced: [
    {
      file: "users/new-password.ts",
      lines: `if (written.byFactor !== (await hasFactor(change.tx, user.id))) refuse("session_ended");`,
      by: "await hasFactor(change.tx, user.id);",
    },
    {
      file: "users/new-password.ts",
      lines: `(await takeUser(change.tx, found)) ?? refuse("session_ended")`,
      by: `(await takeUser(change.tx, found)) ?? found`,
    },
  ],
};
