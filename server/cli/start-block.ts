import type { FirstStart } from "../organizations/first-start.ts";
import type { ServiceAddresses } from "./addresses.ts";
import { columns } from "./table.ts";

const indented = (rows: readonly (readonly string[])[]): string[] =>
  columns(rows.map(([name = "", ...rest]) => [`  ${name}`, ...rest]));

/**
 * The first start's sign-in and access key, in lines. A password from the settings is not repeated.
 */
export const firstStartLines = (made: FirstStart): string[] => [
  "Parley made its first organization. The following is shown only this once:",
  "",
  ...indented([
    ["Organization", `${made.organization.name} (${made.organization.id})`],
    ["Administrator", made.admin.email],
    ["Username", made.admin.username],
    ["Password", made.passwordGenerated ? made.admin.password : "the one in PARLEY_ADMIN_PASSWORD"],
    ["Access key", made.accessKey.accessKey],
    ["Secret access key", made.accessKey.secretAccessKey],
  ]),
  "",
];

/** The same for programs. */
export const firstStartValue = (made: FirstStart) => ({
  organization: made.organization,
  admin: {
    email: made.admin.email,
    username: made.admin.username,
    password: made.passwordGenerated ? made.admin.password : null,
  },
  accessKey: {
    accessKey: made.accessKey.accessKey,
    secretAccessKey: made.accessKey.secretAccessKey,
  },
});

/** The addresses of the service, in lines. */
export const addressLines = (addresses: ServiceAddresses, notices: readonly string[]): string[] => [
  "Parley is ready.",
  "",
  ...indented([
    ["Console", addresses.console ?? "not built: only the interface is served"],
    ["Interface", addresses.interface],
    ["Documentation", addresses.documentation],
    ["OpenAPI document", addresses.openApi],
  ]),
  ...notices.flatMap((notice) => ["", notice]),
  "",
];
