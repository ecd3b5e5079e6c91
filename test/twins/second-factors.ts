import type { Twin } from "./twin.ts";

/** Does not keep the last time step, so that a code works as long as the app shows it. */
export const acceptsAgain: Twin = {
  name: "accepts a code of an app again",
  replaced: [{ file: "access/authenticator.ts", lines: `.where("last_step", "<", step)`, by: "" }],
};

/** Looks only at the password. */
export const forgetsFactors: Twin = {
  name: "forgets second factors at the sign-in",
  replaced: [
    {
      file: "access/sessions.ts",
      lines: "demandFactor(change.tx, seal, found),",
      by: "Promise.resolve(),",
    },
  ],
};

/** Lets a session change factors whenever it was opened. */
export const trustsSessions: Twin = {
  name: "lets every session change second factors",
  replaced: [
    {
      file: "users/second-factor.ts",
      lines: `if (!isFresh || (level !== "factor" && (await hasFactor(tx, userId)))) refuse("proof_needed");`,
      by: "if (isFresh && level === undefined) await hasFactor(tx, userId);",
    },
  ],
};

/** Demands no second factor of those who have none. */
export const demandsNothing: Twin = {
  name: "does not keep people without a demanded factor from anything",
  replaced: [
    {
      file: "access/caller.ts",
      lines: `if (level === "setup" && !operation.setup) refuse("factor_to_set_up");`,
      by: `if (level === "setup" && operation.setup === undefined) level.at(0);`,
    },
  ],
};

/** Does what cannot be undone without a fresh proof. */
export const asksNoProof: Twin = {
  name: "asks for no proof before what cannot be undone",
  replaced: [
    {
      file: "access/caller.ts",
      lines: `if (operation.fresh === "always" && caller.owesProof) refuse("proof_needed");`,
      by: "",
    },
  ],
};

/** Does what only sometimes cannot be undone without a fresh proof. */
export const asksNoProofInRules: Twin = {
  name: "asks for no proof in the rules that need one only sometimes",
  replaced: [
    { file: "change/proof.ts", lines: `if (caller.owesProof) refuse("proof_needed");`, by: "" },
  ],
};

/** Leaves the sessions of an account open when an administrator ends the ways into it. */
export const keepsSessions: Twin = {
  name: "keeps the sessions of an account whose ways are ended",
  replaced: [
    { file: "users/reset.ts", lines: "await endSignIns(tx, user.id, keep);", by: "" },
    { file: "users/second-factor.ts", lines: "await endSignIns(change.tx, user.id);", by: "" },
  ],
};

/** Leaves an app out of the ways into an account. */
export const hidesApps: Twin = {
  name: "hides the app of an account from administrators",
  replaced: [
    {
      file: "users/ways.ts",
      lines: "authenticatorSince: app?.confirmed_at ?? null,",
      by: "authenticatorSince: null,",
    },
  ],
};
