import { type OrganizationSettings, settingsOf } from "../../contract/organization-settings.ts";
import { changedFacts } from "../history/keep.ts";
import type { Change } from "../organization.ts";

/** Changes the settings that are given; all others stay. @returns all of them */
export const editOrganization = async (
  { tx, organization, happened }: Change,
  given: { readonly [K in keyof OrganizationSettings]?: OrganizationSettings[K] | undefined },
): Promise<OrganizationSettings> => {
  const supplied = Object.entries(given).filter(([, value]) => value !== undefined);
  const before = settingsOf(organization);
  const edited = { ...before, ...Object.fromEntries(supplied) };
  await tx
    .updateTable("organizations")
    .set({ settings: JSON.stringify(edited) })
    .where("id", "=", organization.id)
    .execute();
  const subject = { kind: "organization", id: organization.id, name: organization.name } as const;
  happened({ kind: "organizationEdited", subject, ...changedFacts({ ...before }, edited) });
  return edited;
};
