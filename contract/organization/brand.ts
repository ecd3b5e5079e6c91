import { z } from "zod";
import { pathLink, textField } from "../kit/fields.ts";
import { nothing, operation, success } from "../kit/operation.ts";
import { organizationSettings } from "../kit/organization-settings.ts";
import { LOGO_BYTES, LOGO_SIDE } from "../kit/plain.ts";

/* Parley's own operations: how an organization's pages look. */

const looks = { group: "Organization", failure: "message", status: 200 } as const;

const { accentColor, imprintLink, language, privacyLink } = organizationSettings;

/** An organization's brand on pages, also for guests. */
export const brand = z
  .strictObject({
    /** The path of the picture; null if there is none. */
    logo: pathLink().nullable(),
    accentColor: accentColor.reply,
    privacyLink: privacyLink.reply,
    imprintLink: imprintLink.reply,
    /** For guests whose browser asks for no language that there is. */
    language: language.reply,
  })
  .meta({ title: "Brand" });
export type Brand = z.output<typeof brand>;

export const fetchBrand = operation({
  ...looks,
  id: "fetchBrand",
  access: "token",
  scope: "read",
  method: "GET",
  path: "/api/organization/brand",
  summary: "The name, logo, color and links of the organization",
  in: "nothing",
  input: nothing,
  reply: success({ name: z.string(), brand }),
  refusals: [],
});

/** Base64 has four characters for three bytes. */
const LONGEST = Math.ceil(LOGO_BYTES / 3) * 4;

export const setLogo = operation({
  ...looks,
  id: "setLogo",
  changes: true,
  access: "administrator",
  method: "PUT",
  path: "/api/organization/logo",
  summary: "Set the organization's logo, or remove it",
  in: "body",
  input: z.object({
    image: textField(LONGEST)
      .nullable()
      .describe(
        `A PNG, JPEG or WebP picture of at most ${LOGO_BYTES / 1024} KiB and ${LOGO_SIDE} pixels on each side, in Base64; null to remove the logo.`,
      ),
  }),
  reply: success({ brand }),
  refusals: [],
});
