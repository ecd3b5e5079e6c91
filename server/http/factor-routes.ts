import { operations as o } from "../../contract/index.ts";
import { signInWithFactor } from "../access/second-step.ts";
import * as factors from "../users/second-factor.ts";
import { fetchUserWays } from "../users/ways.ts";
import { changing, open, type Route, type Service, scoped } from "./route.ts";

const ok = { success: true } as const;

/** Second factors, and proofs that a person is still the one who signed in. */
export const factorRoutes = ({
  config,
  database,
  seal,
  onError,
}: Pick<Service, "config" | "database" | "seal" | "onError">): readonly Route[] => [
  open(o.signInWithFactor, async ({ input, address, userAgent, cookies }) => {
    const { renewal, device, ...session } = await signInWithFactor(
      { database, seal, publicUrl: config.publicUrl, onError },
      { ...input, address, userAgent, devices: cookies.device.values() },
    );
    cookies.renewal.set(renewal);
    cookies.device.set(device);
    return { ...ok, ...session };
  }),
  scoped(o.fetchFactors, async ({ organization }) => ({
    ...ok,
    ...(await factors.fetchFactors(organization)),
  })),
  scoped(o.proveMyself, async ({ input, auth, organization, cookies }) => {
    const proof = { ...input, devices: cookies.device.values() };
    const service = { database, seal, publicUrl: config.publicUrl };
    await factors.proveMyself(service, organization, auth, proof);
    return ok;
  }),
  // Their answers hold secrets that are shown once, so none is kept for a repetition.
  scoped(o.beginAuthenticator, async ({ auth, organization }) => ({
    ...ok,
    ...(await organization.change((change) => factors.beginAuthenticator(change, auth, seal))),
  })),
  scoped(o.confirmAuthenticator, async ({ input, auth, organization }) => {
    const codes = await organization.change((change) =>
      factors.confirmAuthenticator(change, auth, seal, input.code),
    );
    return { ...ok, recoveryCodes: [...codes] };
  }),
  changing(o.removeAuthenticator, ({ auth }) => ({
    rule: (change) => factors.removeAuthenticator(change, auth),
    answer: () => ok,
  })),
  scoped(o.makeRecoveryCodes, async ({ auth, organization }) => {
    const codes = await organization.change((change) => factors.makeRecoveryCodes(change, auth));
    return { ...ok, recoveryCodes: [...codes] };
  }),
  scoped(o.fetchUserWays, async ({ input, organization }) => ({
    ...ok,
    ways: await fetchUserWays(organization, input.userId),
  })),
  changing(o.resetFactors, ({ input }) => ({
    rule: (change) => factors.resetFactors(change, input.userId),
    answer: () => ok,
  })),
];
