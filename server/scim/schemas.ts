import { PARLEY_SCHEMA, USER_SCHEMA } from "./names.ts";

/*
 * The service's description of itself (RFC 7643, 5 to 7). An attribute is `required` where the service always
 * has a value for it: where a client leaves it out, another attribute or the current value stands in.
 */

interface Attribute {
  readonly name: string;
  readonly description: string;
  readonly type?: "string" | "boolean" | "complex";
  readonly required?: boolean;
  readonly unique?: boolean;
  readonly canonicalValues?: readonly string[];
  readonly multiValued?: boolean;
  readonly subAttributes?: readonly Attribute[];
}

const described = ({
  name,
  description,
  type = "string",
  required = false,
  unique = false,
  multiValued = false,
  canonicalValues,
  subAttributes,
}: Attribute): object => ({
  name,
  type,
  multiValued,
  description,
  required,
  ...(canonicalValues && { canonicalValues }),
  caseExact: false,
  mutability: "readWrite",
  returned: "default",
  uniqueness: unique ? "server" : "none",
  ...(subAttributes && { subAttributes: subAttributes.map(described) }),
});

const user: readonly Attribute[] = [
  {
    name: "userName",
    description: "The directory's name for the person, often the email address.",
    required: true,
    unique: true,
  },
  {
    name: "name",
    description: "The parts of the name. Without displayName they make the person's name.",
    type: "complex",
    subAttributes: [
      { name: "familyName", description: "The family name." },
      { name: "givenName", description: "The given name." },
    ],
  },
  {
    name: "displayName",
    description: "The name that others see. When omitted, it is made from name.",
    required: true,
  },
  {
    name: "emails",
    description:
      "The email address. Of several, the primary one is kept, else the one of the type work. When omitted, it is userName.",
    type: "complex",
    required: true,
    multiValued: true,
    subAttributes: [
      { name: "value", description: "The email address.", required: true, unique: true },
      { name: "type", description: "Always work.", canonicalValues: ["work"] },
      { name: "primary", description: "Always true.", type: "boolean" },
    ],
  },
  {
    name: "active",
    description: "Whether the person can sign in. False suspends the person, true restores access.",
    type: "boolean",
    required: true,
  },
];

const parley: readonly Attribute[] = [
  {
    name: "role",
    description: "What the person is in meetings; lists can be filtered by it.",
    required: true,
  },
  {
    name: "admin",
    description:
      "Whether the person may administer the organization. Needs an access key with the scope everything.",
    type: "boolean",
    required: true,
  },
  { name: "tags", description: "Labels that instant meetings use.", multiValued: true },
];

/** Where a document of the service is. */
export type Locate = (path: string) => string;

const SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Schema";

const schemaOf = (
  locate: Locate,
  id: string,
  name: string,
  description: string,
  attributes: readonly Attribute[],
) => ({
  schemas: [SCHEMA],
  id,
  name,
  description,
  attributes: attributes.map(described),
  meta: { resourceType: "Schema", location: locate(`/Schemas/${id}`) },
});

/** The schemas of people. */
export const schemasOf = (locate: Locate) => [
  schemaOf(locate, USER_SCHEMA, "User", "A person of the organization.", user),
  schemaOf(locate, PARLEY_SCHEMA, "Parley", "What Parley adds to a person.", parley),
];

/** The kinds of resources: people only. */
export const resourceTypesOf = (locate: Locate) => [
  {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
    id: "User",
    name: "User",
    endpoint: "/Users",
    description: "The people of the organization.",
    schema: USER_SCHEMA,
    schemaExtensions: [{ schema: PARLEY_SCHEMA, required: false }],
    meta: { resourceType: "ResourceType", location: locate("/ResourceTypes/User") },
  },
];

/** The most people in one answer. */
export const LARGEST = 200;

/** The abilities of the service. */
export const scimConfiguration = (locate: Locate, publicUrl: string) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
  documentationUri: `${publicUrl}/docs`,
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: LARGEST },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: "oauthbearertoken",
      name: "SCIM token",
      description: "An access key of the organization with the scope scim, and its secret.",
      specUri: "https://www.rfc-editor.org/info/rfc6750",
      primary: true,
    },
  ],
  meta: {
    resourceType: "ServiceProviderConfig",
    location: locate("/ServiceProviderConfig"),
  },
});
