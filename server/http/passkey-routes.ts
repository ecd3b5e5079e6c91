import { operations as o } from "../../contract/index.ts";
import { askForPasskey, signInWithPasskey } from "../access/passkey-sign-in.ts";
import * as passkeys from "../users/passkeys.ts";
import { changing, open, type Route, type Service, scoped } from "./route.ts";

const ok = { success: true } as const;

/** Passkeys: sign-ins, proofs, and those of one's own account. */
export const passkeyRoutes = ({
  config,
  database,
  seal,
  onError,
}: Pick<Service, "config" | "database" | "seal" | "onError">): readonly Route[] => {
  // Asked for in each call: the port may be known only once the service listens.
  const service = () => ({ database, seal, publicUrl: config.publicUrl, onError });
  return [
    open(o.askForPasskey, async ({ input }) => ({
      ...ok,
      options: await askForPasskey(service(), input.ticket),
    })),
    open(o.signInWithPasskey, async ({ input, address, userAgent, cookies }) => {
      const { renewal, device, ...session } = await signInWithPasskey(service(), {
        passkey: input.passkey,
        ticket: input.ticket,
        address,
        userAgent,
        devices: cookies.device.values(),
      });
      cookies.renewal.set(renewal);
      cookies.device.set(device);
      return { ...ok, ...session };
    }),
    scoped(o.beginProof, async ({ organization }) => ({
      ...ok,
      options: await passkeys.beginProof(service(), organization),
    })),
    scoped(o.listPasskeys, async ({ organization }) => ({
      ...ok,
      passkeys: await passkeys.listPasskeys(organization),
    })),
    scoped(o.beginPasskey, async ({ auth, organization }) => ({
      ...ok,
      options: await passkeys.beginPasskey(service(), organization, auth),
    })),
    // Its answer may hold secrets that are shown once, so none is kept for a repetition.
    scoped(o.addPasskey, async ({ input, auth, organization }) => {
      const added = await passkeys.addPasskey(service(), organization, auth, input);
      return { ...ok, ...added };
    }),
    changing(o.renamePasskey, ({ input }) => ({
      rule: (change) => passkeys.renamePasskey(change, input),
      answer: (passkey) => ({ ...ok, passkey }),
    })),
    changing(o.removePasskey, ({ input, auth }) => ({
      rule: (change) => passkeys.removePasskey(change, auth, input.id),
      answer: () => ok,
    })),
  ];
};
