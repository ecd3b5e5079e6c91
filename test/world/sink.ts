import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";

/** A received letter. */
export interface SunkLetter {
  /** The envelope. */
  readonly from: string;
  readonly to: readonly string[];
  /** The sender's name in SMTP, as it says it with EHLO. */
  readonly sender: string;
  /** The bytes as they arrived, and as a mail program parses them. */
  readonly raw: Buffer;
  readonly parsed: Email;
  /** True if it came encrypted. */
  readonly tls: boolean;
  /** False if its arrival was not acknowledged: the sender will send it again. */
  readonly acknowledged: boolean;
}

/** How to answer a command: normally, with a refusal (4xx or 5xx), with silence, or by hanging up. */
export type Fate =
  | undefined
  | { readonly code: number; readonly text?: string }
  | "stall"
  | "hang up";

/**
 * When: at a connection, a sender, a recipient, or a whole letter (which then has been read, but not
 * acknowledged).
 */
export type Stage = "connect" | "sender" | "recipient" | "data";

/** A real SMTP server that keeps what arrives, and misbehaves on request. */
export interface Sink {
  /** The value of SMTP_URL. */
  readonly url: string;
  readonly port: number;
  readonly letters: SunkLetter[];
  /** Connections open now, the most at once, and the total number. */
  readonly connections: { readonly open: number; most: number; met: number };
  /** Set by a test; `address` is the recipient, for a whole letter the first one. */
  fate: (stage: Stage, address: string, sender: string) => Fate;
  /**
   * The letters, once there are this many; or those that match, once there is one.
   *
   * @throws Error after the timeout, with what did arrive.
   */
  waitFor(
    wanted: number | ((letter: SunkLetter) => boolean),
    timeoutMs?: number,
  ): Promise<SunkLetter[]>;
  /** Refuses connections until `up`, and closes those that are open. */
  down(): Promise<void>;
  up(): Promise<void>;
  stop(): Promise<void>;
}

export interface SinkOptions {
  /** True to offer STARTTLS, with a self-signed certificate. */
  readonly starttls?: boolean;
  /** Accepts letters only from clients with these credentials. */
  readonly login?: { readonly user: string; readonly password: string };
}

/** Starts a mail server on a free port of the loopback address. */
export const startSink = async ({ starttls = false, login }: SinkOptions = {}): Promise<Sink> => {
  let server: SMTPServer;
  let port = 0;
  const open = new Set<string>();

  const meet = (fate: Fate, session: SMTPServerSession, go: (error?: Error) => void) => {
    if (fate === "stall") return;
    if (fate === "hang up") return hangUp(server, session);
    go(fate && Object.assign(new Error(fate.text ?? "as told"), { responseCode: fate.code }));
  };

  const options: SMTPServerOptions = {
    authOptional: login === undefined,
    disabledCommands: [...(starttls ? [] : ["STARTTLS"]), ...(login ? [] : ["AUTH"])],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    // As long as a server should wait for the next command (RFC 5321, 4.5.3.2.7).
    socketTimeout: 5 * 60 * 1_000,
    logger: false,
    onAuth({ username, password }, _session, go) {
      const right = username === login?.user && password === login?.password;
      go(right ? null : new Error("wrong user or password"), { user: username ?? "" });
    },
    onConnect(session, go) {
      open.add(session.id);
      sink.connections.met += 1;
      sink.connections.most = Math.max(sink.connections.most, open.size);
      meet(sink.fate("connect", "", ""), session, go);
    },
    // Includes connections that were gone before they were handled.
    onClose: ({ id }) => void open.delete(id),
    onMailFrom: ({ address }, session, go) =>
      meet(sink.fate("sender", address, session.hostNameAppearsAs), session, go),
    onRcptTo: ({ address }, session, go) =>
      meet(sink.fate("recipient", address, session.hostNameAppearsAs), session, go),
    async onData(stream, session, go) {
      // If a sender hangs up in the middle, nothing arrived.
      const raw = await stream.toArray().then(Buffer.concat, () => undefined);
      if (raw === undefined) return go();
      const { mailFrom, rcptTo } = session.envelope;
      const to = rcptTo.map(({ address }) => address);
      const sender = session.hostNameAppearsAs;
      const keep = async (acknowledged: boolean) =>
        sink.letters.push({
          from: mailFrom ? mailFrom.address : "",
          to,
          sender,
          raw,
          parsed: await PostalMime.parse(raw),
          tls: session.secure,
          acknowledged,
        });
      const fate = sink.fate("data", to[0] ?? "", sender);
      // A refused letter did not arrive. A letter that was read and not answered did arrive, unacknowledged.
      if (fate === undefined || typeof fate === "string") await keep(fate === undefined);
      meet(fate, session, go);
    },
  };

  const sink: Sink = {
    get url() {
      const user = login ? `${login.user}:${encodeURIComponent(login.password)}@` : "";
      return `smtp://${user}127.0.0.1:${port}${starttls ? "" : "?tls=none"}`;
    },
    get port() {
      return port;
    },
    letters: [],
    connections: {
      get open() {
        return open.size;
      },
      most: 0,
      met: 0,
    },
    fate: () => undefined,
    async waitFor(wanted, timeoutMs = 120_000) {
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        const found = typeof wanted === "number" ? [...sink.letters] : sink.letters.filter(wanted);
        if (found.length >= (typeof wanted === "number" ? wanted : 1)) return found;
        if (Date.now() > deadline)
          throw new Error(`Waited in vain; arrived: ${list(sink.letters)}`);
        await sleep(10);
      }
    },
    async down() {
      for (const connection of server.connections) connection._socket.destroy();
      await new Promise<void>((resolve) => server.close(resolve));
    },
    async up() {
      server = new SMTPServer(options);
      server.on("error", () => {}); // A sender that hangs up, for example.
      const listening = server.listen(port, "127.0.0.1");
      await once(listening, "listening");
      const address = listening.address();
      if (address !== null && typeof address === "object") port = address.port;
    },
    stop: () => sink.down(),
  };
  await sink.up();
  return sink;
};

const hangUp = (server: SMTPServer, { id }: SMTPServerSession): void => {
  for (const connection of server.connections) {
    if (connection.session.id === id) connection._socket.destroy();
  }
};

const list = (letters: SunkLetter[]) =>
  letters.map(({ to, parsed }) => `${to} "${parsed.subject}"`).join(", ") || "nothing";
