import { styleText } from "node:util";
import { type Config, ConfigError } from "../config.ts";
import { type Check, fault, note, ok } from "./check.ts";
import { command } from "./command.ts";
import { configuration } from "./environment.ts";
import { columns } from "./table.ts";

const NODE = 26;

const checkNode = (): Check => {
  const { node } = process.versions;
  return Number.parseInt(node, 10) >= NODE
    ? ok("Node", node)
    : fault("Node", `This is Node ${node}.`, `Run Parley with Node ${NODE} or later: npm start.`);
};

const checkAddress = async (config: Config): Promise<Check> => {
  const { exposedWithoutAddress } = await import("./addresses.ts");
  const line = exposedWithoutAddress(config);
  return line === undefined
    ? ok("public address", config.publicUrl)
    : note(
        "public address",
        line,
        "Set PUBLIC_URL to the address under which people reach Parley.",
      );
};

const checkMail = async (config: Config): Promise<Check> => {
  const { checkMailServer } = await import("../mail/check.ts");
  if (config.smtp === undefined) {
    const found = "SMTP_URL is not set: letters become files in DATA_DIR/mail.";
    return note("mail server", found, "Set SMTP_URL to have letters sent.");
  }
  const { target, problem } = await checkMailServer(config);
  return problem === null
    ? ok("mail server", target)
    : fault("mail server", `${target}: ${problem}`, "Check SMTP_URL and the mail server.");
};

const checkAll = async (): Promise<Check[]> => {
  const node = checkNode();
  let config: Config;
  try {
    config = configuration();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [
      node,
      fault("configuration", error.message, '"parley config" shows every setting. Set it right.'),
    ];
  }
  const { checkFolder, checkKeyFile, checkSpace } = await import("./check-disk.ts");
  const { checkDatabase } = await import("./check-database.ts");
  const folder = await checkFolder(config);
  const isUsable = folder.status !== "fault" || config.databaseUrl !== undefined;
  return [
    node,
    ok("configuration", "every value is accepted"),
    await checkAddress(config),
    folder,
    ...(isUsable || folder.advice?.startsWith("chmod") ? await checkDatabase(config) : []),
    ...[await checkKeyFile(config)].filter((check) => check !== undefined),
    await checkMail(config),
    await checkSpace(config),
  ];
};

const signs = { ok: ["ok", "green"], note: ["note", "yellow"], fault: ["FAULT", "red"] } as const;

const show = (checks: readonly Check[]): string => {
  const lines = columns(
    checks.map(({ name, status, found }) => {
      const [sign, colour] = signs[status];
      return [styleText(colour, sign, { stream: process.stdout }), name, found];
    }),
  );
  return lines
    .flatMap((line, at) => {
      const advice = checks[at]?.advice;
      return advice ? [line, `       ${advice}`] : [line];
    })
    .join("\n");
};

export const doctor = command({
  name: "doctor",
  arguments: [],
  options: {},
  summary: "Check everything that Parley needs, and say what to do about each fault.",
  details:
    "Configuration, data folder, database, migrations, sealing key, mail server, free disk, Node.\nExit code 1 when something is wrong. Nothing is changed.",
  examples: ["doctor", "doctor --json"],
  async run() {
    const checks = await checkAll();
    const faults = checks.filter(({ status }) => status === "fault").length;
    const end =
      faults === 0
        ? "Nothing is wrong."
        : `${faults} ${faults === 1 ? "thing is" : "things are"} wrong.`;
    return {
      value: { ok: faults === 0, checks },
      text: `${show(checks)}\n${end}`,
      failed: faults > 0,
    };
  },
});
