import { type OrganizationSettings, settingsOf } from "../../contract/organization-settings.ts";
import type { Change } from "../organization.ts";

/** Changes the settings that are given; all others stay. @returns all of them */
export const editOrganization = async (
  { tx, organization }: Change,
  given: { readonly [K in keyof OrganizationSettings]?: OrganizationSettings[K] | undefined },
): Promise<OrganizationSettings> => {
  const supplied = Object.entries(given).filter(([, value]) => value !== undefined);
  const edited = { ...settingsOf(organization), ...Object.fromEntries(supplied) };
  await tx
    .updateTable("organizations")
    .set({ settings: JSON.stringify(edited) })
    .where("id", "=", organization.id)
    .execute();
  return edited;
};
