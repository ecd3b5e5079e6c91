// Runs: always

import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../packaging/folder.ts";
import { isSettings } from "./shell.ts";

/*
 * Every block of the docs is run by a test that reads it there, or has its reason here. Settings files are read by
 * unit/samples. Blocks of docs/interface.md are made from the contract.
 */

/** The tests that run a document's blocks, by the first words of each. */
const ran: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "README.md": {
    "P=http://127.0.0.1:3000": "site/blocks",
    "import { createClient, pagesOf": "site/blocks",
  },
  "docs/https.md": {
    "install -d -m 750": "site/blocks",
    "location /video/": "deploy/samples",
  },
  "docs/integrating.md": { "import { connectMeeting": "meetings/connect" },
  "docs/kubernetes.md": {
    "# parley.yaml": "deploy/chart",
    "# restore.yaml": "deploy/chart",
  },
  "docs/operating.md": {
    "parley mail test": "site/blocks",
    "rule_files:": "observability/prometheus",
    "install -d -m 700": "site/blocks",
    "cp /opt/parley/deploy/parley-backup": "site/blocks",
    "parley backup    ": "site/blocks",
    "systemctl stop parley": "site/blocks",
    "# postgresql.conf": "moving/point-in-time",
    pg_basebackup: "moving/point-in-time",
    "git clone <this repository> /opt/parley-next": "site/blocks",
    "parley backup\n": "site/blocks",
    "parley org export": "site/blocks",
    "parley org delete": "site/blocks",
  },
  "docs/scaling.md": { "create role": "moving/copy" },
  "docs/webhooks.md": {
    "import { createHmac": "site/blocks",
    "P=http://127.0.0.1:3000": "site/blocks",
  },
};

/** Why a block is not run as it stands, with the tests that run what it names. */
const notRun: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "README.md": {
    "npm ci && npm start": "installs packages; cli/start starts it",
    "npx parley copy": "names another machine; moving/copy runs the command",
    "npm install /path": "installs packages; unit/packages and cli/start do it in parts",
    "npm ci && npm test": "is this run",
  },
  "docs/containers.md": {
    "sh deploy/prepare.sh\ndocker":
      "needs Docker; deploy/containers runs the script, deploy/images the containers",
    "docker compose -f deploy/compose.yaml exec":
      "needs Docker; deploy/images runs commands in the container",
    "docker compose -f deploy/compose.yaml stop parley\n":
      "needs Docker; moving/kept-backups runs the command",
    "docker compose -f deploy/compose.yaml stop parley &&":
      "needs Docker; moving/copy runs the command",
    "git pull": "needs Docker; deploy/containers runs the script again",
    "docker build": "needs Docker; deploy/images builds and runs each target",
  },
  "docs/embedding.md": {
    "<script": "loads a foreign host; meetings/browser-embedded runs the same elements",
    "import { embedMeeting":
      "loads a foreign host; meetings/browser-embedded calls the same function",
    "<iframe": "loads a foreign host; meetings/browser-embedded has the frame",
  },
  "docs/https.md": {
    "[Service]": "needs systemd as the first process; deploy/units runs the unit",
  },
  "docs/integrating.md": {
    "P=http://127.0.0.1:3000 ROOM":
      "installs a package; meetings/engine-bots runs the same program",
  },
  "docs/kubernetes.md": {
    "docker build": "needs Docker; deploy/images builds each target",
    "kubectl create": "needs a cluster",
    "# livekit.yaml":
      "is for LiveKit's own chart; meetings/engine-cluster sets the same in LiveKit",
    "kubectl --namespace parley scale": "needs a cluster; moving/kept-backups runs the restore",
    "helm install parley": "needs a cluster; deploy/kubernetes installs the chart on an API server",
    "helm repo": "needs a cluster and a foreign host",
  },
  "docs/moving-in.md": {
    "export PARLEY_ACCESS_KEY": "names two machines; imports/command runs the command",
    "\\copy": "reads the tables of Greenlight, in psql; imports/forms reads such files",
  },
  "docs/operating.md": {
    adduser: "changes the machine; deploy/units runs the unit and its service",
    "parley media install": "downloads; the run of the tests installs LiveKit so",
  },
  "docs/recording.md": {
    "apt install": "changes the machine; cli/doctor-media names what is missing",
  },
  "docs/scaling.md": {
    "systemctl stop parley": "names another machine; moving/copy runs the command",
    "alter role": "is one way to what db/pooler sets on the role",
  },
  "docs/webhooks.md": { "POST /parley": "shows what arrives; webhooks/webhooks compares it" },
};

const read = (file: string): string => readFileSync(join(root, file), "utf8");

/** Every block of a document. */
const blocksIn = (text: string): readonly string[] =>
  [...text.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, block = ""]) => block);

/** The document's blocks that a list does not have. */
const missing = (file: string, text: string): readonly string[] =>
  blocksIn(text).filter(
    (block) =>
      !isSettings({ file, text: block }) &&
      !Object.keys({ ...ran[file], ...notRun[file] }).some((words) => block.startsWith(words)),
  );

const documents = ["README.md", ...globSync("docs/*.md", { cwd: root })].filter(
  (file) => file !== "docs/interface.md",
);

test("every block of the docs is run by a test, or is listed with the reason", () => {
  assert.deepEqual(
    documents.flatMap((file) => missing(file, read(file)).map((block) => [file, block])),
    [],
  );
});

test("a block that nothing runs is found", () => {
  assert.equal(missing("docs/https.md", "```sh\nparley nonsense\n```\n").length, 1);
});

test("the lists name blocks and tests that exist, and each test reads the document", () => {
  for (const list of [ran, notRun]) {
    for (const [file, entries] of Object.entries(list)) {
      for (const [words, what] of Object.entries(entries)) {
        assert.ok(
          blocksIn(read(file)).some((block) => block.startsWith(words)),
          `${file}: ${words}`,
        );
        for (const [name] of what.matchAll(/[a-z]+\/[a-z-]+/g)) {
          assert.ok(existsSync(join(root, `test/${name}.test.ts`)), name);
          if (list === ran)
            assert.ok(read(`test/${name}.test.ts`).includes(file), `${name}: ${file}`);
        }
      }
    }
  }
});
