// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import packageJson from "../../package.json" with { type: "json" };
import { cliCommands } from "../../server/cli/commands.ts";
import { outcomeOf } from "../../server/cli/main.ts";
import { failure, run } from "./run.ts";

test("without a command, parley shows every command with its arguments", async () => {
  const { code, out, err } = await run({});
  assert.equal(code, 0);
  assert.equal(err, "");
  for (const { name, summary } of cliCommands) {
    assert.ok(out.includes(`  ${name}`), name);
    assert.ok(out.includes(summary), name);
  }
  for (const word of ["--help", "help"]) {
    assert.deepEqual(await outcomeOf([word]), { code, out, err });
  }
});

for (const { name, options, examples, details = "" } of cliCommands) {
  test(`parley ${name} --help shows its options and examples`, async () => {
    const { code, out, err } = await outcomeOf([...name.split(" "), "--help"]);
    assert.equal(code, 0);
    assert.equal(err, "");
    assert.ok(out.startsWith(`parley ${name}`));
    for (const line of details.split("\n")) assert.ok(line.length <= 100, line);
    for (const option of [...Object.keys(options), "json", "help"]) {
      assert.ok(out.includes(`--${option}`), option);
    }
    assert.ok(examples.length > 0);
    for (const example of examples) assert.ok(out.includes(`parley ${example}`), example);
    const json = await outcomeOf([...name.split(" "), "--help", "--json"]);
    assert.equal(JSON.parse(json.out).name, name);
  });
}

test("the first word alone lists the commands that begin with it", async () => {
  const { out } = await outcomeOf(["org", "--help"]);
  assert.match(out, /org create NAME/);
  assert.doesNotMatch(out, /doctor/);
});

test("--version prints the version of the package", async () => {
  assert.equal((await outcomeOf(["--version"])).out, `${packageJson.version}\n`);
  const { out } = await outcomeOf(["--version", "--json"]);
  assert.deepEqual(JSON.parse(out), { version: packageJson.version });
});

const wrong: [args: string[], error: RegExp][] = [
  [["strat"], /There is no command "strat"\. Did you mean "parley start"\?/],
  [["org", "lst"], /There is no command "org lst"\. Did you mean "parley org list"\?/],
  [["acces-key", "create"], /Did you mean "parley access-key create"\?/],
  [["org"], /"org" needs one more word: org create, org list, org set, org delete, org export\./],
  [["--bogus"], /There is no option "--bogus"/],
  [["xyzzy"], /There is no command "xyzzy"\. "parley --help" shows all of them\./],
  [["org", "create"], /NAME is missing\. See "parley org create --help"\./],
  [["org", "create", "Acme", "Europe"], /"Europe" is one word too many/],
  [
    ["org", "create", "Acme", "--max-room", "3"],
    /no option --max-room\. Did you mean --max-rooms\?/,
  ],
  [["org", "create", "Acme", "--max-rooms"], /--max-rooms needs a value: --max-rooms N\./],
  [
    ["org", "create", "Acme", "--max-rooms", "3", "--max-rooms", "4"],
    /--max-rooms was given twice/,
  ],
  [
    ["org", "create", "Acme", "--max-rooms", "many"],
    /--max-rooms is "many"; accepted: a whole number/,
  ],
  [["org", "create", "Acme", "--max-rooms=-1"], /--max-rooms is "-1"; accepted/],
  [["org", "create", " "], /NAME has 1 to 200 characters/],
  [["org", "create", "a\nb"], /NAME has 1 to 200 characters, none of them a line end/],
  [["org", "create", "n".repeat(201)], /NAME has 1 to 200 characters/],
  [
    ["org", "set", "Acme"],
    /at least one of --name, --plan, --max-rooms, --max-users, --sign-in, --language and --speech-language/,
  ],
  [["access-key", "list"], /--org ORG is missing/],
  [["access-key", "remove"], /KEY is missing/],
  [["user", "create-admin", "--org", "Acme", "--name", "Ann"], /--email E is missing/],
  [
    ["user", "create-admin", "--org", "Acme", "--name", "Ann", "--email", "ann"],
    /--email is "ann"; accepted: an email address/,
  ],
  [["mail", "test", "nobody"], /"nobody" is not an email address/],
  [["doctor", "--json=yes"], /--json takes no value/],
];

for (const [args, error] of wrong) {
  test(`parley ${JSON.stringify(args)} is not understood: one line, exit code 2`, async () => {
    const { code, out, err } = await outcomeOf(args);
    assert.equal(code, 2);
    assert.equal(out, "");
    assert.match(err, error);
    assert.match(err, /^parley: [^\n]+\n$/);
  });
}

test("a message about a bad command goes to standard error, and the exit code is 2", async () => {
  const { code, out, err } = await run({}, "strat");
  assert.deepEqual([code, out], [2, ""]);
  assert.match(err, /^parley: There is no command "strat"/);
});

test("with --json, the error is one JSON value on standard error", async () => {
  assert.match(await failure(2, {}, "org", "creat"), /Did you mean "parley org create"\?/);
});
