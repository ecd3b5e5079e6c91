import assert from "node:assert/strict";
import { test } from "node:test";
import { LOGO_BYTES } from "../../contract/kit/plain.ts";
import { assertFails, failure } from "../world/refusals.ts";
import { startWorld } from "../world/world.ts";
import { pictures } from "./pictures.ts";

/* How the pages of an organization look. */

const { url, open, tenant } = await startWorld(test);

/** The beginning of a PNG of one pixel. */
const PNG = Buffer.from("89504e470d0a1a0a0000000d494844520000000100000001", "hex");
const imageOf = (bytes: number, beginning = PNG) =>
  Buffer.concat([beginning, Buffer.alloc(bytes - beginning.length)]).toString("base64");

test("somebody with the link sees the logo, color and links of the room's organization", async () => {
  const { ask, admin, name } = await tenant();
  const links = { privacyLink: "https://example.org/privacy", imprintLink: null };
  await ask("editOrganization", { accentColor: "#2F6F4F", ...links });
  const set = await ask("setLogo", { image: imageOf(100) });
  assert.equal(set.status, 200);
  const { brand } = set.body;
  assert.match(brand.logo, /^\/brand\/[0-9a-f]{64}$/);
  assert.deepEqual(brand, { logo: brand.logo, accentColor: "#2f6f4f", language: "en", ...links });
  assert.deepEqual((await ask("fetchBrand")).body, { success: true, name, brand });
  const { room } = (await ask("createRoom", { name: "R", roomOwnerId: admin.id })).body.roomSetting;
  const invitation = await ask("fetchInvitation", { roomId: room });
  assert.deepEqual(invitation.body.invitation.brand, brand);
  const picture = await fetch(`${url}${brand.logo}`);
  assert.equal(picture.status, 200);
  assert.equal(picture.headers.get("content-type"), "image/png");
  assert.match(picture.headers.get("cache-control") ?? "", /immutable/);
  assert.equal(picture.headers.get("x-content-type-options"), "nosniff");
  assert.equal(Buffer.from(await picture.arrayBuffer()).toString("base64"), imageOf(100));
  // Another logo has another address, and the former one leads nowhere.
  const next = (await ask("setLogo", { image: imageOf(101) })).body.brand.logo;
  assert.notEqual(next, brand.logo);
  assert.equal((await fetch(`${url}${brand.logo}`)).status, 404);
  assert.equal((await ask("setLogo", { image: null })).body.brand.logo, null);
  assert.equal((await fetch(`${url}${next}`)).status, 404);
});

test("a logo is a small picture, and never a page or a drawing with scripts", async () => {
  const { ask } = await tenant();
  const refused = failure("invalid_input", "");
  const phrase = "must be a PNG, JPEG or WebP picture of at most 64 KiB in Base64";
  const pictures = [
    "",
    "no Base64!",
    Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>").toString("base64"),
    Buffer.from("<!doctype html><script>1</script>").toString("base64"),
    Buffer.from("GIF89a").toString("base64"),
  ];
  for (const image of pictures) {
    const { status, body } = await ask("setLogo", { image });
    assert.deepEqual([status, body.code], [400, refused.code], image);
    assert.equal(body.errors[0].message, `image ${phrase}`);
  }
  assert.equal((await ask("setLogo", { image: imageOf(LOGO_BYTES) })).status, 200);
  assert.equal((await ask("setLogo", { image: imageOf(LOGO_BYTES + 1) })).status, 400);
  assert.equal((await open("GET /brand/unknown")).status, 404);
});

test("a logo has at most 4096 pixels on each side, whatever its file is", async () => {
  const { ask } = await tenant();
  for (const [what, [fits, tooWide]] of Object.entries(pictures)) {
    assert.equal((await ask("setLogo", { image: fits })).status, 200, what);
    const { status, body } = await ask("setLogo", { image: tooWide });
    assert.equal(status, 400, what);
    const [{ code, message }] = body.errors;
    assert.equal(code, "picture_too_wide", what);
    assert.match(message, /at most 4096 pixels on each side, and has (?:4098 x 2|2 x 4098)/);
    // Cut off before its size, it is no picture.
    const cut = Buffer.from(fits, "base64").subarray(0, 20).toString("base64");
    const torn = await ask("setLogo", { image: cut });
    assert.equal(torn.body.errors[0].code, "not_picture", what);
  }
});

test("an organization can be renamed, unless the name is taken", async () => {
  const [one, other] = [await tenant(), await tenant()];
  const name = `School of ${one.id}`;
  const { body } = await one.ask("editOrganization", { name: ` ${name} `, binDays: 7 });
  assert.deepEqual([body.name, body.settings.binDays], [name, 7]);
  assert.equal((await one.ask("getOrganization")).body.organization.name, name);
  const taken = "Another organization of this service already has this name.";
  await assertFails(
    other.ask("PUT /api/organization", { name: name.toUpperCase() }),
    409,
    failure("organization_name_taken", taken),
  );
  const { entries } = (await one.ask("listHistory", {})).body;
  const edits = entries.filter(({ kind }: { kind: string }) => kind === "organizationEdited");
  assert.deepEqual(
    edits.map(({ after }: { after: unknown }) => after),
    [{ binDays: 7 }, { name }],
  );
});

test("a color is hexadecimal, and a link a web address", async () => {
  const { ask } = await tenant();
  for (const wrong of [
    { accentColor: "red" },
    { accentColor: "#fff" },
    { accentColor: "#1234567" },
    { privacyLink: "javascript:alert(1)" },
    { imprintLink: "example.org" },
    { name: " " },
  ]) {
    assert.equal((await ask("editOrganization", wrong)).status, 400, JSON.stringify(wrong));
  }
});
