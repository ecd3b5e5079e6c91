import { noteOf, noteOnce } from "../access/notes.ts";
import { loginOf, spellingOf } from "../access/sessions.ts";
import { countInTurn } from "../access/throttle.ts";
import { userSubject } from "../change/history.ts";
import { nobody, openOrganization } from "../change/organization.ts";
import type { Database } from "../db/open.ts";
import type { Seal } from "../db/seal.ts";
import { answerLeft } from "../lib/answer-left.ts";
import { letterLanguage, postLetter } from "../mail/outbox.ts";
import { findLogin, takeUser } from "../records/user-queries.ts";
import { whyKeptOut } from "../records/user-states.ts";

/** The dependencies of links to a new password. */
interface Service {
  readonly database: Database;
  readonly seal: Seal;
  readonly publicUrl: string;
  /** Receives the errors of an email that could not be posted. */
  readonly onError: (error: unknown) => void;
}

/** How often one account gets such an email at most: a stranger must not fill a mailbox. */
const PAUSE_MS = 5 * 60_000;

interface Asked {
  readonly login: string;
  readonly address: string;
}

const post = async (
  { database, seal, publicUrl }: Service,
  { login, address }: Asked,
): Promise<void> => {
  await answerLeft();
  const found = await findLogin(database.read, loginOf(spellingOf(login)));
  if (found === undefined || whyKeptOut(found) !== undefined) return;
  await openOrganization(database, found.organization_id, nobody, { address }).change(
    async (change) => {
      const { tx, organization, happened } = change;
      const user = await takeUser(tx, found);
      if (user === undefined || user.gone_at !== null || whyKeptOut(user) !== undefined) return;
      if (!(await noteOnce(tx, noteOf(PAUSE_MS, "password link", user.id)))) return;
      await postLetter(change, seal, {
        organizationId: user.organization_id,
        userId: user.id,
        kind: "password-link",
        recipient: user.email,
        credentials: user.credentials,
        // The link's code is added when the email leaves, for its address.
        content: {
          language: letterLanguage(organization, user),
          name: user.name,
          loginUrl: `${publicUrl}/password`,
          username: user.username,
        },
      });
      happened({ kind: "passwordLinkSent", subject: userSubject(user) });
    },
  );
};

/**
 * Sends a link to choose a new password to the account of a login, if there is one that may sign in. In the
 * background: neither the answer nor its time reveals whether the account exists.
 *
 * @throws Refusal `too_many_requests`, `overloaded`
 */
export const sendPasswordLink = async (service: Service, asked: Asked): Promise<void> => {
  const { login, address } = asked;
  // Apart from tries to sign in: asking for a link keeps nobody from signing in.
  await countInTurn(service.database, { login: `link ${spellingOf(login)}`, address });
  post(service, asked).catch(service.onError);
};
