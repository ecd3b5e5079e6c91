import { settingsOf } from "../../contract/kit/organization-settings.ts";
import type { Brand } from "../../contract/organization/brand.ts";
import type { Queries } from "../change/organization.ts";

/** The path of a logo, below the address of the service. */
export const logoPath = (digest: string): string => `/brand/${digest}`;

/** The looks of an organization on pages, besides its name. */
export const brandOf = async (db: Queries, organizationId: string): Promise<Brand> => {
  const row = await db
    .selectFrom("organizations as o")
    .leftJoin("logos as l", "l.organization_id", "o.id")
    .select(["o.settings", "l.digest"])
    .where("o.id", "=", organizationId)
    .executeTakeFirstOrThrow();
  const { accentColor, privacyLink, imprintLink, language } = settingsOf(row);
  const logo = row.digest === null ? null : logoPath(row.digest);
  return { logo, accentColor, privacyLink, imprintLink, language };
};
