import { emailKey } from "../../contract/kit/fields.ts";
import type { Checked, Reply } from "../../contract/kit/operation.ts";
import { settingsOf } from "../../contract/kit/organization-settings.ts";
import { ANY_DOMAIN, type findWaysIn as contract } from "../../contract/organization/providers.ts";
import type { Database } from "../db/open.ts";
import { roomOfCode } from "../meetings/state/links.ts";
import { speaksFor } from "./accounts.ts";
import { isUsable, providersOf, settingsOfProvider } from "./providers.ts";

type Ways = Omit<Reply<typeof contract>, "success">;

const PASSWORD_ONLY: Ways = { password: true, providers: [], sentTo: null };

/** The organization of a provider; null where there is none. */
const ownerOf = async (read: Database["read"], provider: string): Promise<string | null> => {
  const row = await read
    .selectFrom("providers")
    .select("organization_id")
    .where("id", "=", provider)
    .executeTakeFirst();
  return row?.organization_id ?? null;
};

/** The organization of a room, of a provider, or of this ID; without them the only one of the service. */
const organizationFor = async (
  { read, find }: Pick<Database, "read" | "find">,
  { organization, room, provider }: Checked<typeof contract>,
) => {
  const found = room === undefined ? undefined : await roomOfCode(find, room);
  const owner = provider === undefined ? undefined : await ownerOf(read, provider);
  if (owner === null) return undefined;
  const id = found?.row.organization_id ?? owner ?? organization;
  const few = await read
    .selectFrom("organizations")
    .select(["id", "name", "settings"])
    .$if(Boolean(id), (query) => query.where("id", "=", id ?? ""))
    .limit(2)
    .execute();
  return few.length === 1 ? few[0] : undefined;
};

/**
 * By what somebody can sign in. It depends on the organization, and on the domain of an email address; not
 * on accounts, of which it says nothing.
 *
 * In a service with several organizations, one must be named, also by the link of a room: otherwise each could send the people of any
 * domain to a provider of its own.
 */
export const waysInto = async (
  database: Pick<Database, "read" | "find">,
  asked: Checked<typeof contract>,
): Promise<Ways> => {
  const { login = "", provider, withOrganization = false } = asked;
  const organization = await organizationFor(database, asked);
  if (organization === undefined) return PASSWORD_ONLY;
  const usable = (await providersOf(database.read, organization.id)).filter(
    (row) => isUsable(row) && (provider === undefined || row.id === provider),
  );
  const key = emailKey(login);
  const speaking =
    key === undefined
      ? []
      : usable.filter((row) => {
          const { domains } = settingsOfProvider(row);
          return speaksFor({ domains: domains.filter((one) => one !== ANY_DOMAIN) }, key);
        });
  const [only] = speaking;
  return {
    password: usable.length === 0 || settingsOf(organization).signInBy === "everything",
    providers: usable.map(({ id, name }) => ({ id, name })),
    sentTo: speaking.length === 1 && only ? only.id : null,
    ...(withOrganization && { organization: { id: organization.id, name: organization.name } }),
  };
};
