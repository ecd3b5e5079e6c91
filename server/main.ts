import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Logger, pino } from "pino";
import packageJson from "../package.json" with { type: "json" };
import { endedChallenges } from "./access/passkeys.ts";
import { prepareHashing } from "./access/passwords.ts";
import { wholeAllowances } from "./access/throttle.ts";
import { expiredTokens } from "./access/tokens.ts";
import { sweepBin } from "./bin/sweep.ts";
import { type Captures, openCaptures } from "./capture/captures.ts";
import { oldAnswers } from "./change/kept-answers.ts";
import { startRemoving } from "./change/removals.ts";
import { type Config, defaultAddressOf } from "./config/config.ts";
import { takesLanguage } from "./config/speech.ts";
import { underDeadlines } from "./db/deadline.ts";
import { conditionOf, isRefusedAccess, isUnavailable } from "./db/errors.ts";
import { migrate } from "./db/migrate.ts";
import { type Database, openDatabase } from "./db/open.ts";
import { checkSeal, openSeal, type Seal } from "./db/seal.ts";
import { watchChanges } from "./db/watched.ts";
import { createApp } from "./http/app.ts";
import { readCertificate } from "./http/certificate.ts";
import type { ConsoleFiles } from "./http/console.ts";
import { meetingSockets } from "./http/meeting-socket.ts";
import { uuid7 } from "./lib/id.ts";
import { lineFormat } from "./lib/log.ts";
import { isAmong } from "./lib/networks.ts";
import { useTracer } from "./lib/traced.ts";
import type { ServedSocket } from "./lib/upgrade.ts";
import { startPostman } from "./mail/postman.ts";
import { openEngine, openTurn } from "./media/open.ts";
import type { Relay } from "./media/relay.ts";
import { iceHosts, iceServers } from "./media/turn.ts";
import { openCaptureQueue } from "./meetings/captures/queue.ts";
import { oldInvitations } from "./meetings/doors/invitations.ts";
import { startSweep } from "./meetings/doors/sweep.ts";
import { watchEngine } from "./meetings/engine/reconcile.ts";
import { openMedia } from "./meetings/state/media.ts";
import { type FirstStart, openFirstStart } from "./organizations/first-start.ts";
import { startRetention } from "./organizations/retention.ts";
import { openLibrary } from "./recordings/open.ts";
import { startRecorder } from "./recordings/recorder.ts";
import { dateChore } from "./schedule/letters.ts";
import { endedProviderSessions } from "./sign-in/logout.ts";
import { Hub } from "./socket/hub.ts";
import { openMeetingCommands } from "./socket/registry.ts";
import { openLive } from "./transcription/open.ts";
import { fillUsage } from "./usage/fill.ts";
import { countRefusedJoins } from "./usage/refused.ts";
import { eraseLines, removeOldImports } from "./users/forget-imports.ts";
import { handOverLeft } from "./users/hand-over.ts";
import { mendFormer, startMender } from "./users/mender.ts";
import { startSender } from "./webhooks/sender.ts";

/** A service that runs. */
export interface Parley {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** The results of the first start; undefined on later ones. */
  readonly firstStart: FirstStart | undefined;
  readonly log: Logger;
  /** The captures that record and stream meetings. */
  readonly captures: Captures;
  /** Drains and ends: running requests are answered, letters under way delivered. */
  stop(): Promise<void>;
}

export interface StartOptions {
  /** The built console; without it only the interface is served. */
  readonly console?: ConsoleFiles;
  /** Called when nothing can be written any more and the service should end. */
  readonly onBroken?: () => void;
  /** Called when a step of the start takes longer than a moment. */
  readonly onProgress?: (line: string) => void;
  /** Called as soon as the first start is stored, so that a later failure cannot lose it. */
  readonly onFirstStart?: (made: FirstStart) => void;
  /** Where log lines go; standard output by default. */
  readonly logTo?: { write(line: string): void };
}

/**
 * A stream: a line that cannot be written is lost. If pino got standard output itself, it would write
 * to the file behind it, and on a full disk wait forever for space.
 */
const standardOutput = { write: (line: string) => void process.stdout.write(line) };

const LONGEST_PAUSE_MS = 5_000;

/** Rows that are of no use once their time is over. */
const expiring = [
  expiredTokens,
  endedProviderSessions,
  endedChallenges,
  wholeAllowances,
  oldAnswers,
  oldInvitations,
];

/** Runs a step of the start until the database is there: it may be away, or go away in the middle. */
const onceAvailable = async <T>(
  step: () => Promise<T>,
  onProgress: (line: string) => void,
): Promise<T> => {
  for (let pause = 250; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await step();
    } catch (error) {
      if (!isUnavailable(error) || isRefusedAccess(error)) throw error;
      onProgress(
        `The database is not available (${conditionOf(error)}); trying again in ${pause / 1000} s.`,
      );
      await sleep(pause);
    }
  }
};

/** Migrates the tables, checks the sealing key and makes the first organization. */
const prepareTables = async (
  database: Database,
  config: Config,
  onProgress: (line: string) => void,
): Promise<{ readonly seal: Seal; readonly made: FirstStart | undefined }> => {
  const firstStart = openFirstStart(database, config);
  return onceAvailable(async () => {
    await migrate(database, onProgress);
    const seal = await openSeal(config, database.read);
    await database.change((tx) => checkSeal(tx, seal));
    return { seal, made: await firstStart() };
  }, onProgress);
};

/** The media engine's WebSocket, as the service serves it. */
const mediaUpgrade = ({ path, upgrade, validate }: Relay): ServedSocket => ({
  path,
  validate,
  handle: (request, socket, head, keep) => void upgrade(request, socket, head, keep),
});

/**
 * Starts the service: database, migrations, seal, postman, media engine, HTTP; stops in reverse.
 *
 * @throws when it cannot start: another process on the same SQLite file, a wrong
 *   sealing key, a newer database, an address that is taken, a certificate that cannot
 *   be served
 */
export const startParley = async (config: Config, options: StartOptions = {}): Promise<Parley> => {
  const { version } = packageJson;
  const lines = lineFormat(
    config.logFormat,
    { name: config.serviceName, version },
    config.tracing !== undefined,
  );
  const log = pino({ level: config.logLevel, ...lines }, options.logTo ?? standardOutput);
  const certificate = config.tls && (await readCertificate(config.tls));
  const { onProgress = () => {} } = options;
  let isBroken = false;
  const processId = uuid7();
  const opened = await openDatabase(config, {
    service: true,
    onWaiting: () => onProgress("The service before this one is ending; waiting for it."),
    poolSize: config.databaseConnections,
    onBroken: (error) => {
      isBroken = true;
      log.fatal({ err: error }, "the disk does not keep what is written: the service ends");
      options.onBroken?.();
    },
  });
  const isWatched = config.tracing !== undefined || config.metricsToken !== undefined;
  const database = isWatched ? watchChanges(opened) : opened;
  const close: (() => Promise<unknown>)[] = [() => database.close()];
  const stop = async (): Promise<void> => {
    const failures: unknown[] = [];
    for (const end of close.splice(0).reverse()) {
      try {
        await end();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  try {
    if (config.tracing) {
      // Loaded only when needed.
      const { openTracing } = await import("./lib/opentelemetry.ts");
      const { tracer, stop: end } = openTracing(config.tracing, { version, processId, log });
      useTracer(tracer);
      close.push(async () => {
        useTracer(undefined);
        await end();
      });
    }
    const [{ seal, made }] = await Promise.all([
      prepareTables(database, config, onProgress),
      prepareHashing(),
    ]);
    if (made) options.onFirstStart?.(made);

    const served = { ...config };
    const postman = startPostman({ database, seal, config: served, log });
    // On a broken database no letter can be marked, however long the service waits.
    close.push(() => postman.stop(isBroken ? 0 : undefined));

    const chores = [
      mendFormer,
      eraseLines,
      removeOldImports,
      sweepBin,
      handOverLeft,
      fillUsage,
      dateChore(seal, served),
    ];
    const mender = startMender(database, log, chores);
    close.push(() => mender.stop());
    database.leftWork.listen("emails", () => postman.wake());
    database.leftWork.listen("old emails", () => postman.tidy());
    database.leftWork.listen("chores", () => mender.wake());

    const sender = startSender({ database, seal, config: served, log });
    close.push(() => sender.stop(isBroken ? 0 : undefined));
    database.leftWork.listen("deliveries", () => sender.wake());
    const retention = startRetention(database, log);
    close.push(() => retention.stop());
    database.leftWork.listen("old history", () => retention.wake());

    const engine = await openEngine(config, log);
    if (engine !== undefined) {
      close.push(() => engine.stop());
      // In the background: a service without media still answers everything else.
      void engine.start();
    }

    const onError = (what: string) => (err: unknown) =>
      isUnavailable(err)
        ? log.warn({ condition: conditionOf(err) }, "database away")
        : log.error({ err }, what);
    const hub = new Hub({
      database,
      processId,
      mediaOf: ({ meeting }, seat) => media.pathOf(meeting, seat),
      onMuted: (...muted) => {
        gate?.mute(...muted).catch((error: unknown) => {
          log.warn({ err: error }, "the media engine has not muted somebody");
        });
      },
      speechLanguage: takesLanguage(config.speech),
      onError: onError("a meeting was not shown"),
    });
    close.push(() => hub.stop());

    const gate =
      engine &&
      // Loaded only with an engine: the code that reads its messages is 20 MB.
      new (await import("./meetings/engine/gate.ts")).Gate({
        database,
        hub,
        engine,
        processId,
        log,
        iceOf: (seatId) => iceServers(config.media, seatId),
      });
    const watch = engine && gate && watchEngine(database, engine, gate, log);
    const turn = await openTurn(config, log);
    close.push(() => Promise.all([watch?.stop(), turn?.stop()]));
    const media = openMedia(served, watch, turn);
    const commands = openMeetingCommands({
      seal,
      canTranscribe: config.speech !== undefined,
      takesLanguage: takesLanguage(config.speech),
      isAllowed: isAmong(config.allowedNetworks),
    });
    const sessions = {
      database,
      hub,
      processId,
      commands,
      onError: onError("a command of a meeting failed"),
    };
    const meetings = meetingSockets(sessions, config);
    const sweepOptions = {
      processId,
      log,
      engine: gate,
      onForgotten: () => {
        gate?.cutAll();
        void meetings.cutAll();
      },
    };
    const sweep = await onceAvailable(() => startSweep(database, sweepOptions), onProgress);
    close.push(() => sweep.stop());

    const library = openLibrary({ database, config, processId, log });
    close.push(() => library.stop());
    database.leftWork.listen("erasures", () => library.keeper.wake());
    database.leftWork.listen("old recordings", () => library.keeper.wakeForDays());

    const removing = startRemoving(database, expiring, onError("what expired was not removed"));
    close.push(() => removing.stop());

    const limited = underDeadlines(database);
    const upgrades = [meetings, ...(gate ? [mediaUpgrade(gate.relay)] : [])];
    const captures = openCaptures({
      database,
      config: config.capture,
      entrances: upgrades,
      log,
      pages: options.console?.folder,
      hosts: iceHosts(config.media),
    });

    const refused = countRefusedJoins(database, onError("refused seats are counted later"));
    close.push(() => refused.stop());
    const parts = {
      hub,
      media,
      library,
      commands,
      seal,
      refused,
    };
    const service = {
      config: served,
      database: limited,
      ...parts,
      onError: (err: unknown) => log.error({ err }, "what happened is not in the history"),
    };
    const { app, draining } = await createApp(
      service,
      log,
      { console: options.console, certificate },
      upgrades,
    );
    close.push(() => app.close());
    close.push(() => Promise.all([meetings.end(), gate?.end()]));
    close.push(() => captures.stop());
    const queue = openCaptureQueue(database, config.recording.recorders, [
      ...(["recording", "stream"] as const),
      ...(config.speech === undefined ? [] : (["transcription"] as const)),
    ]);
    const hasPage = options.console !== undefined;
    const shared = { processId, captures, queue, config, log, hasPage };
    const live = openLive({ ...shared, database, hub, seal });
    close.push(() => live.stop());
    const recorder = await onceAvailable(() => startRecorder(database, shared), onProgress);
    close.push(() => recorder.stop());
    // Last: a signal that comes as soon as the service answers must find everything that has to be
    // stopped.
    await app.listen({ host: config.host, port: config.port });
    close.push(() => draining.start(config.drainSeconds));
    close.push(async () => database.leave());
    const { address, port } = app.server.address() as AddressInfo;
    // With PORT 0 the port is known only now; letters and cookies read it from here.
    if (!config.publicUrlGiven) served.publicUrl = defaultAddressOf(config.host, port, config);
    return { url: defaultAddressOf(address, port, config), firstStart: made, log, captures, stop };
  } catch (error) {
    await stop().catch((err: unknown) => log.error({ err }, "the service did not end in order"));
    throw error;
  }
};
