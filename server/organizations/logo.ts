import { LOGO_BYTES, LOGO_SIDE } from "../../contract/kit/plain.ts";
import type { Brand } from "../../contract/organization/brand.ts";
import type { Change } from "../change/organization.ts";
import type { Database } from "../db/open.ts";
import type { LogosTable } from "../db/tables.ts";
import { digestOf } from "../lib/digest.ts";
import { refuseField } from "../lib/refusal.ts";
import { brandOf } from "../records/brand.ts";
import { pictureOf } from "./picture-size.ts";

/**
 * Sets or removes the organization's logo.
 *
 * @param image Base64; null to remove it
 * @throws Refusal `invalid_input` for anything but a PNG, JPEG or WebP picture of at most `LOGO_BYTES` and
 *   `LOGO_SIDE` pixels on each side
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
  const found = pictureOf(bytes);
  if (found === undefined || bytes.length > LOGO_BYTES) {
    return refuseField("image", "not_picture", { max: LOGO_BYTES });
  }
  const { type, width, height } = found;
  if (Math.max(width, height) > LOGO_SIDE) {
    return refuseField("image", "picture_too_wide", { max: LOGO_SIDE, width, height });
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
