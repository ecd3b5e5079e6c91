import { hasFactor } from "../access/authenticator.ts";
import { makeDevice } from "../access/devices.ts";
import { tellPerson } from "../access/notices.ts";
import { hashPassword, verifyPassword } from "../access/passwords.ts";
import { noticePlace } from "../access/places.ts";
import {
  callerFor,
  type OpenedSession,
  openSession,
  type SignInService,
} from "../access/sessions.ts";
import { ownerOfTicket, readPasswordTicket, refuseWithoutProvider } from "../access/tickets.ts";
import { userSubject } from "../change/history.ts";
import { openOrganization } from "../change/organization.ts";
import { refuse, refuseField } from "../lib/refusal.ts";
import { takeUser } from "../records/user-queries.ts";
import { whyKeptOut } from "../records/user-states.ts";
import { refuseGuessable } from "./own-password.ts";
import { replacePassword } from "./reset.ts";

interface Chosen {
  readonly ticket: string;
  readonly newPassword: string;
  readonly address: string;
  readonly devices: readonly string[];
  readonly userAgent?: string | undefined;
}

/**
 * Signs in a person whose password must be replaced, by the ticket of the steps before: chooses the new password and
 * opens the session in one change.
 *
 * @throws Refusal `session_ended` for a ticket that opens nothing any more, `account_suspended`, `account_revoked`,
 *   `provider_required`; `invalid_input` for the current password, or one that is too easily guessed
 */
export const signInWithNewPassword = async (
  service: SignInService,
  { ticket, newPassword, address, devices, userAgent }: Chosen,
): Promise<OpenedSession & { readonly device: string }> => {
  const { database, seal } = service;
  const written = await readPasswordTicket(database.read, seal, ticket);
  const found = await ownerOfTicket(database.read, written);
  const self = callerFor(found);
  const organization = openOrganization(database, found.organization_id, self, { address });
  await refuseGuessable(organization, found, newPassword);
  const lane = { known: found.id };
  if (await verifyPassword(found.password_digest, newPassword, lane)) {
    refuseField("newPassword", "password_not_new");
  }
  const digest = await hashPassword(newPassword, lane);
  return organization.change(async (change) => {
    refuseWithoutProvider(change);
    const user = (await takeUser(change.tx, found)) ?? refuse("session_ended");
    const code = whyKeptOut(user);
    if (code) refuse(code);
    // A factor was added or reset after the steps that the ticket stands for.
    if (written.byFactor !== (await hasFactor(change.tx, user.id))) refuse("session_ended");
    change.happened({ kind: "passwordChanged", subject: userSubject(user) });
    await tellPerson(change, user, "passwordChanged", { by: { userAgent } });
    const renewed = await replacePassword(change, user, digest);
    await noticePlace(change, renewed, { ...service, devices, userAgent });
    const opened = await openSession(change, renewed, {
      userAgent,
      by: written.byFactor ? "factor" : "password",
      ...(written.facts !== null && { facts: written.facts }),
    });
    const device = makeDevice(seal, renewed, { withFactor: written.byFactor });
    return { ...opened, device };
  });
};
