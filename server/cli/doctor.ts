import { type Config, ConfigError, readConfig } from "../config/config.ts";
import { isLoopback } from "../config/smtp-url.ts";
import { isMissing, isShared } from "../db/place.ts";
import { type Check, fault, NO_DATABASE, note, ok, showChecks } from "./check.ts";
import { type Called, cliCommand } from "./command.ts";
import { installationSettings, sourceOf } from "./environment.ts";

const RECORDING = "recording";

/** Checks that meetings can be recorded on this machine; starts the browser once. */
const checkRecording = async (config: Config): Promise<Check[]> => {
  const { recorders } = config.recording;
  if (recorders === 0) return [ok(RECORDING, "off (RECORDERS is 0)")];
  const { captureProblems } = await import("../capture/problems.ts");
  const problems = await captureProblems(config.capture);
  if (problems.length === 0) {
    return [ok(RECORDING, `Chromium and ffmpeg can record; at most ${recorders} at once`)];
  }
  return problems.map(({ text, advice }) => note(RECORDING, text, advice));
};

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

const checkCamera = async (config: Config): Promise<readonly Check[]> => {
  const { HTTPS_ADVICE, withoutCamera } = await import("./addresses.ts");
  const line = withoutCamera(config);
  return line === undefined ? [] : [note("camera", line, HTTPS_ADVICE)];
};

/** A frame gets camera and microphone only if the page around it is secure too. */
const checkEmbedding = ({ embedOrigins }: Config): readonly Check[] => {
  if (embedOrigins.length === 0) return [];
  const insecure = embedOrigins.filter((origin) => {
    const { protocol, hostname } = new URL(origin);
    return protocol !== "https:" && !isLoopback(hostname);
  });
  return [
    insecure.length === 0
      ? ok("embedding", `${embedOrigins.join(", ")} may show meetings in a frame`)
      : note(
          "embedding",
          `Browsers give no camera to a meeting in a page of ${insecure.join(", ")}.`,
          "Serve these pages by https, and write https in EMBED_ORIGINS.",
        ),
  ];
};

const checkMail = async (config: Config): Promise<Check> => {
  const { checkMailServer } = await import("../mail/check.ts");
  if (config.smtp === undefined) {
    const found = "SMTP_URL is not set: emails become files in DATA_DIR/mail.";
    return note("mail server", found, "Set SMTP_URL to have emails sent.");
  }
  const { target, problem, advice } = await checkMailServer(config);
  return problem === null
    ? ok("mail server", target)
    : fault("mail server", `${target}: ${problem}`, advice);
};

/** The default sender of an installation without a domain. */
const checkSender = ({ smtp, mailFrom }: Config): readonly Check[] =>
  smtp !== undefined && mailFrom.address.endsWith("@localhost")
    ? [
        note(
          "sender",
          `Emails come from ${mailFrom.address}, which many mail servers refuse.`,
          "Set MAIL_FROM to an address of your domain, or set PUBLIC_URL.",
        ),
      ]
    : [];

const checkStoreOf = async (config: Config): Promise<readonly Check[]> => {
  const { checkStore } = await import("./check-store.ts");
  return checkStore(config);
};

const checkBackupsOf = async (config: Config): Promise<readonly Check[]> => {
  if (isMissing(config)) return [];
  const { checkBackups } = await import("./check-backups.ts");
  return [await checkBackups(config)];
};

const checkAll = async (called: Called, isFull: boolean): Promise<Check[]> => {
  const node = checkNode();
  const settings = installationSettings(called);
  const source = `from ${sourceOf(settings)}`;
  let config: Config;
  try {
    config = readConfig(settings.environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const advice = `Correct it (settings ${source}). "parley config" shows every setting.`;
    return [node, ...error.problems.map((problem) => fault("settings", problem, advice))];
  }
  const { checkMedia } = await import("./check-media.ts");
  const { checkSpeech } = await import("./check-speech.ts");
  const { checkFolder, checkKeyFile, checkOthers, checkSpace } = await import("./check-disk.ts");
  const { checkTls } = await import("./check-tls.ts");
  const { checkDatabase } = await import("./check-database.ts");
  const folder = await checkFolder(config);
  const isUsable = folder.status !== "fault" || isShared(config);
  return [
    node,
    ok("settings", `${source}; every value is accepted`),
    await checkAddress(config),
    ...(await checkCamera(config)),
    ...(await checkTls(config)),
    ...checkEmbedding(config),
    folder,
    ...(await checkOthers(config)),
    ...(isUsable ? await checkDatabase(config, isFull) : []),
    ...[await checkKeyFile(config)].filter((check) => check !== undefined),
    await checkMail(config),
    ...checkSender(config),
    ...(await checkMedia(config)),
    await checkSpeech(config),
    ...(await checkRecording(config)),
    ...(await checkStoreOf(config)),
    ...(await checkBackupsOf(config)),
    await checkSpace(config.dataDir, "DATA_DIR"),
  ];
};

export const doctor = cliCommand({
  name: "doctor",
  arguments: [],
  options: {
    full: { type: "boolean", meaning: "Read a SQLite file of more than 64 MB to its end, too." },
  },
  summary: "Check everything that Parley needs, and say how to fix each fault.",
  details:
    "Settings, certificate, data folder, database, migrations, sealing key, mail server, media engine\nand its ports, speech engine, recorder, store of recordings, backups, free disk, Node.\nExit code 1 when something is wrong. Nothing is changed; in the store of recordings and\nin a bucket of backups a small object is written and removed.",
  examples: ["doctor", "doctor --full", "doctor --json"],
  async run({ options: { full }, ...called }) {
    const checks = await checkAll(called, full);
    const faults = checks.filter(({ status }) => status === "fault").length;
    const end =
      faults === 0
        ? checks.some(({ found }) => found === NO_DATABASE)
          ? "Nothing is wrong, but there is no database here yet."
          : "Nothing is wrong."
        : `${faults} ${faults === 1 ? "thing is" : "things are"} wrong.`;
    return {
      value: { ok: faults === 0, checks },
      text: `${showChecks(checks)}\n${end}`,
      failed: faults > 0,
    };
  },
});
