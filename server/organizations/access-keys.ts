import type { Checked } from "../../contract/kit/operation.ts";
import { includes } from "../../contract/kit/scopes.ts";
import {
  type AccessKey,
  accessKeySettings,
  type editAccessKey as editContract,
} from "../../contract/organization/access-keys.ts";
import {
  findAccessKey,
  keyFacts,
  keySubject,
  presentKey,
  refusePast,
} from "../access/access-keys.ts";
import { allFacts, changedFacts } from "../change/history.ts";
import type { Change } from "../change/organization.ts";
import { demandProof } from "../change/proof.ts";
import type { AccessKeyRow } from "../db/tables.ts";
import { refuseFields } from "../lib/refusal.ts";
import { shownTextErrors } from "../lib/shown-texts.ts";
import { expelInvited } from "../meetings/doors/expel.ts";

/*
 * Changes of access keys that reach into meetings: people invited with a key are there by its
 * right.
 */

/**
 * Edits an access key: only supplied fields change. Its tokens follow with the commit, because
 * every request reads the key with the token. Without the scope `rooms`, its invitations end, and
 * the people invited with it leave their meetings.
 *
 * @throws Refusal `access_key_not_found`, `proof_needed`, on its name, or if its end is in the past
 */
export const editAccessKey = async (
  change: Change,
  { accessKey, name, scope, expiresAt }: Checked<typeof editContract>,
): Promise<AccessKey> => {
  const { tx, happened } = change;
  const row = await findAccessKey(change, accessKey);
  // The undo of an edit comes this way too.
  demandProof(change);
  if (expiresAt !== row.expires_at) refusePast(expiresAt, change.now);
  refuseFields(shownTextErrors({ name: accessKeySettings.name.sent }, row, { name }));
  const edited: AccessKeyRow = {
    ...row,
    name: name ?? row.name,
    scope: scope ?? row.scope,
    expires_at: expiresAt === undefined ? row.expires_at : expiresAt,
  };
  await tx
    .updateTable("access_keys")
    .set({ name: edited.name, scope: edited.scope, expires_at: edited.expires_at })
    .where("id", "=", row.id)
    .execute();
  const facts = changedFacts(keyFacts(row), keyFacts(edited));
  happened({ kind: "accessKeyEdited", subject: keySubject(edited), ...facts });
  if (includes(row.scope, "rooms") && !includes(edited.scope, "rooms")) {
    await tx.deleteFrom("invitations").where("access_key_id", "=", row.id).execute();
    await expelInvited(change, row.id);
  }
  return presentKey(edited);
};

/**
 * Removes an access key with its tokens, its invitations, and the seats of the people invited with
 * it.
 *
 * @throws Refusal `access_key_not_found`
 */
export const removeAccessKey = async (change: Change, accessKey: string): Promise<void> => {
  const row = await findAccessKey(change, accessKey);
  await change.tx.deleteFrom("access_keys").where("id", "=", row.id).execute();
  const before = allFacts(keyFacts(row));
  change.happened({ kind: "accessKeyRemoved", subject: keySubject(row), before });
  await expelInvited(change, accessKey);
};
