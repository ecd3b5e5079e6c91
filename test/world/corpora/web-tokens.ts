import { createHmac, generateKeyPairSync, sign } from "node:crypto";

const encoded = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

const claims = {
  sub: "admin",
  admin: true,
  role: "admin",
  iss: "parley",
  aud: "parley",
  iat: 1,
  nbf: 0,
  exp: 4_102_444_800,
  organizationId: "00000000-0000-7000-8000-000000000000",
};

const signedWith = (header: object, key: string, payload: unknown = claims): string => {
  const text = `${encoded(header)}.${encoded(payload)}`;
  const hash = (header as { readonly alg?: string }).alg?.replace("HS", "sha") ?? "sha256";
  return `${text}.${createHmac(hash, key).update(text).digest("base64url")}`;
};

const hs256 = { alg: "HS256", typ: "JWT" };
const good = signedWith(hs256, "secret");
const [header = "", payload = "", signature = ""] = good.split(".");

/** Secrets that attackers try first. */
const weakSecrets = [
  "",
  "secret",
  "password",
  "changeme",
  "key",
  "parley",
  "jwt",
  "\0",
  "0".repeat(64),
];

/** No algorithm, in spellings that a careless comparison accepts. */
const none = [
  "none",
  "None",
  "NONE",
  "nOnE",
  " none",
  "none ",
  "",
  null,
  0,
  false,
  [],
  ["none"],
  {},
];

/**
 * Headers that point a verifier to a key of the sender's choice, or require something that it does not know.
 */
const pointers = [
  ...[
    "/dev/null",
    "../../../../dev/null",
    "' or '1'='1",
    "key\0",
    "|sleep 1",
    "http://127.0.0.1/key",
  ].map((kid) => ({ kid })),
  ...["http://127.0.0.1:1/jwks", "file:///dev/null", "//127.0.0.1/jwks"].flatMap((place) => [
    { jku: place },
    { x5u: place },
  ]),
  { jwk: { kty: "oct", k: encoded("secret") } },
  { x5c: ["MIIB"] },
  ...[["exp"], [], ["unknown"], ["b64"]].map((crit) => ({ crit })),
  { b64: false, crit: ["b64"] },
  { zip: "DEF" },
  { cty: "JWT" },
  { enc: "A256GCM" },
];

const keyPairs = () => {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicKey = rsa.publicKey.export({ type: "spki", format: "pem" }).toString();
  const own = (alg: string, jwk: object, key: Parameters<typeof sign>[2]) => {
    const text = `${encoded({ alg, jwk })}.${payload}`;
    return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
  };
  return [
    // The public key used as a secret.
    signedWith(hs256, publicKey),
    signedWith(hs256, publicKey.trim()),
    // The sender's own key in the header.
    own("RS256", rsa.publicKey.export({ format: "jwk" }), rsa.privateKey),
    own("ES256", ec.publicKey.export({ format: "jwk" }), {
      key: ec.privateKey,
      dsaEncoding: "ieee-p1363",
    }),
    // The signature of zeros, which some verifiers considered valid for every message.
    ...["ES256", "ES384", "ES512"].map(
      (alg, n) => `${encoded({ alg })}.${payload}.${encoded("\0".repeat([64, 96, 132][n] ?? 64))}`,
    ),
  ];
};

const spelledWrong = [
  `${header}.${payload}`,
  `${header}.${payload}.`,
  `.${payload}.${signature}`,
  "..",
  ".",
  "a.b.c",
  `${header}..${signature}`,
  `${good}.`,
  `.${good}`,
  `${good}.${signature}`,
  `${good}.${good}`,
  `${good}=`,
  `${good}==`,
  `${header}=.${payload}=.${signature}=`,
  `${good}%3d`,
  `${good}~`,
  `"${good}"`,
  good.slice(0, -1),
  good.slice(0, -4),
  `${good}A`,
  good.toUpperCase(),
  good.replaceAll(".", " "),
  good.replaceAll(".", "%2e"),
  good.replaceAll(".", ","),
  `${header}.${signature}.${payload}`,
  `bearer ${good}`,
  `Bearer ${good}`,
  `${good} ${good}`,
  `${good},${good}`,
  `${good};${good}`,
  Buffer.from(good).toString("base64"),
  Buffer.from(good).toString("hex"),
];

const asJson = [
  { protected: header, payload, signature },
  { payload, signatures: [{ protected: header, signature }] },
  { payload, signatures: [] },
  { payload, signature, header: hs256 },
  { protected: header, payload, signature, header: { alg: "none" } },
].map((one) => JSON.stringify(one));

/** Tokens that might fool a library for JSON Web Tokens, in the formats that it reads. */
export const webTokens = (): readonly string[] => [
  ...none.flatMap((alg) => {
    const first = encoded({ alg, typ: "JWT" });
    return [`${first}.${payload}.`, `${first}.${payload}`, `${first}.${payload}.${signature}`];
  }),
  ...weakSecrets.flatMap((secret) =>
    ["HS256", "HS384", "HS512"].map((alg) => signedWith({ alg, typ: "JWT" }, secret)),
  ),
  ...pointers.map((pointer) => signedWith({ ...hs256, ...pointer }, "secret")),
  ...keyPairs(),
  ...spelledWrong,
  ...asJson,
  // Claims that are not an object, and a header with duplicate fields.
  ...["null", "[]", "0", '"admin"', "", "{", "\0"].map((text) => signedWith(hs256, "secret", text)),
  `${encoded('{"alg":"none","alg":"HS256"}')}.${payload}.${signature}`,
  `${encoded('{"alg":"HS256","alg":"none"}')}.${payload}.`,
  // An encrypted token has five parts.
  `${encoded({ alg: "dir", enc: "A256GCM" })}..${encoded("iv")}.${payload}.${signature}`,
  `${encoded({ alg: "PBES2-HS256+A128KW", p2c: 2_000_000_000 })}.a.b.${payload}.${signature}`,
];
