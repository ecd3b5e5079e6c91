import {
  factorFor,
  type OrganizationSettings,
  settingsOf,
} from "../../contract/kit/organization-settings.ts";
import { changedFacts } from "../change/history.ts";
import type { Change } from "../change/organization.ts";
import { demandProof } from "../change/proof.ts";
import { refuse } from "../lib/refusal.ts";
import { refuseUntried } from "../sign-in/providers.ts";
import { OrganizationError, setOrganization } from "./organizations.ts";

/** A name, and settings; what is omitted stays. */
type Given = {
  readonly [K in keyof OrganizationSettings]?: OrganizationSettings[K] | undefined;
} & {
  readonly name?: string | undefined;
};

/** The settings after whose days something is deleted. */
const retentions = ["historyDays", "letterDays", "meetingDays", "recordingDays"] as const;

/** Returns whether an edit deletes something earlier than before, or lets people in by less than before. */
const isGrave = (before: OrganizationSettings, after: OrganizationSettings): boolean => {
  const strict = ({ secondFactorFor }: OrganizationSettings) => factorFor.indexOf(secondFactorFor);
  return (
    retentions.some((name) => (after[name] ?? Infinity) < (before[name] ?? Infinity)) ||
    // Without a bin, each deletion asks for a proof.
    (after.binDays !== null && after.binDays < (before.binDays ?? 0)) ||
    strict(after) < strict(before) ||
    (before.signInBy === "providers" && after.signInBy !== "providers")
  );
};

/**
 * Changes the given name and settings; all others stay.
 *
 * @returns all of them
 * @throws Refusal `organization_name_taken`, `provider_untried`, `proof_needed`
 */
export const editOrganization = async (
  change: Change,
  { name, ...given }: Given,
): Promise<{ readonly settings: OrganizationSettings; readonly name: string }> => {
  const { tx, organization, happened, leaveWork } = change;
  if (name !== undefined && name !== organization.name) {
    await setOrganization(change, { name }).catch((error: unknown) =>
      error instanceof OrganizationError
        ? refuse("organization_name_taken")
        : Promise.reject(error),
    );
  }
  const supplied = Object.entries(given).filter(([, value]) => value !== undefined);
  const before = settingsOf(organization);
  if (supplied.length === 0) return { settings: before, name: name ?? organization.name };
  if (given.signInBy === "providers" && before.signInBy !== "providers") {
    await refuseUntried(change);
  }
  const edited = { ...before, ...Object.fromEntries(supplied) };
  if (isGrave(before, edited)) demandProof(change);
  await tx
    .updateTable("organizations")
    .set({ settings: JSON.stringify(edited) })
    .where("id", "=", organization.id)
    .execute();
  const subject = { kind: "organization", id: organization.id, name: organization.name } as const;
  happened({ kind: "organizationEdited", subject, ...changedFacts({ ...before }, edited) });
  if (edited.letterDays !== before.letterDays) leaveWork("old emails");
  if (edited.recordingDays !== before.recordingDays) leaveWork("old recordings");
  if (edited.historyDays !== before.historyDays || edited.meetingDays !== before.meetingDays) {
    leaveWork("old history");
  }
  return { settings: edited, name: name ?? organization.name };
};
