import { LOGO_BYTES } from "../../contract/kit/plain.ts";
import type { Brand } from "../../contract/organization/brand.ts";
import type { Change } from "../change/organization.ts";
import type { Database } from "../db/open.ts";
import type { LogosTable } from "../db/tables.ts";
import { digestOf } from "../lib/digest.ts";
import { refuseField } from "../lib/refusal.ts";
import { brandOf } from "../records/brand.ts";

/** How each type of picture begins, in hexadecimal. No SVG: it may hold scripts. */
const beginnings: readonly (readonly [type: string, beginning: RegExp])[] = [
  ["image/png", /^89504e470d0a1a0a/],
  ["image/jpeg", /^ffd8ff/],
  ["image/webp", /^52494646.{8}57454250/],
];

/**
 * Sets the organization's logo, or removes it.
 *
 * @param image Base64; null to remove it
 * @throws Refusal `invalid_input` for anything but a PNG, JPEG or WebP picture of at most `LOGO_BYTES`
 */
export const setLogo = async (
  { tx, organization, happened }: Change,
  image: string | null,
): Promise<Brand> => {
  const subject = { kind: "organization", id: organization.id, name: organization.name } as const;
  const before = await brandOf(tx, organization.id);
  await tx.deleteFrom("logos").where("organization_id", "=", organization.id).execute();
  if (image !== null) await tx.insertInto("logos").values(logoOf(organization.id, image)).execute();
  const after = await brandOf(tx, organization.id);
  if (before.logo !== after.logo) {
    happened({
      kind: "organizationEdited",
      subject,
      before: { logo: before.logo },
      after: { logo: after.logo },
    });
  }
  return after;
};

const logoOf = (organizationId: string, image: string): LogosTable => {
  const bytes = Buffer.from(image, "base64");
  const [type] =
    beginnings.find(([, beginning]) => beginning.test(bytes.toString("hex", 0, 12))) ?? [];
  if (type === undefined || bytes.length > LOGO_BYTES) {
    return refuseField("image", "not_picture", { max: LOGO_BYTES });
  }
  const picture = bytes.toString("base64");
  return { organization_id: organizationId, digest: digestOf(picture), type, picture };
};

/** The logo with this digest; undefined if no organization has it. */
export const findLogo = (
  { read }: Pick<Database, "read">,
  digest: string,
): Promise<Pick<LogosTable, "type" | "picture"> | undefined> =>
  read
    .selectFrom("logos")
    .select(["type", "picture"])
    .where("digest", "=", digest)
    .limit(1)
    .executeTakeFirst();
