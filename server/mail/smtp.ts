import { once } from "node:events";
import { Readable } from "node:stream";
import { rootCertificates } from "node:tls";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { SmtpServer } from "../config/smtp-url.ts";
import type { EmailMessage } from "./message.ts";
import { DeliveryTimeout, Held, judge, type Outcome } from "./outcome.ts";

/** The controls of a delivery. */
export interface Escort {
  /** Aborts it at once, even in the middle of a message. */
  readonly signal: AbortSignal;
  /** Called when the server waits for the message, before its first byte is sent. */
  readonly mayLeave: () => Promise<boolean>;
  /** Texts of the letter that no error may repeat. */
  readonly secrets: readonly string[];
}

/** Hands one message to the mail server (RFC 5321), over its own connection. Never throws. */
export const deliverBySmtp = async (
  server: SmtpServer,
  message: EmailMessage,
  escort: Escort,
): Promise<Outcome> => {
  const state = { ready: false };
  try {
    await connected(server, escort.signal, async (connection) => {
      state.ready = true;
      await send(connection, message, escort.mayLeave);
    });
    return { kind: "sent" };
  } catch (error) {
    return judge(error, state.ready, [...escort.secrets, ...secretsOf(server)]);
  }
};

/**
 * Connects as for a letter (greeting, EHLO, TLS, authentication) and disconnects.
 *
 * @returns the outcome; `sent` means that letters would be accepted.
 */
export const greetServer = async (server: SmtpServer, signal: AbortSignal): Promise<Outcome> => {
  try {
    await connected(server, signal, async () => {});
    return { kind: "sent" };
  } catch (error) {
    return judge(error, false, secretsOf(server));
  }
};

const connected = async (
  server: SmtpServer,
  signal: AbortSignal,
  work: (connection: SMTPConnection) => Promise<void>,
): Promise<void> => {
  // Loaded only when there is something to send.
  const { default: Connection } = await import("nodemailer/lib/smtp-connection");
  signal.throwIfAborted();
  const connection = new Connection(connectionOptions(server));
  const broken = new Promise<never>((_, reject) => {
    // Stays until the end: an error without a listener would end the process.
    connection.on("error", reject);
    // One turn later, so that an error from the server's last answer, which says more, comes first.
    connection.once("end", () => setImmediate(() => reject(new Error("closed"))));
    signal.addEventListener("abort", () => reject(new DeliveryTimeout()), { once: true });
  });
  broken.catch(() => {});
  try {
    await Promise.race([broken, called((done) => connection.connect(done))]);
    const { credentials } = server;
    // If a server offers no authentication, its answer to MAIL FROM shows whether it is required.
    if (credentials !== undefined && connection.allowsAuth) {
      const { user, password } = credentials;
      await Promise.race([
        broken,
        called((done) => connection.login({ user, pass: password }, done)),
      ]);
    }
    await Promise.race([broken, work(connection)]);
    await farewell(connection);
  } catch (error) {
    // Not close(), which would first send buffered data, such as a letter's last line.
    if (connection._socket) connection._socket.destroy();
    throw error;
  } finally {
    connection.close();
  }
};

/**
 * Sends QUIT and waits up to a second for the end: servers limit connections, so close this one
 * before the next opens.
 */
const farewell = async (connection: SMTPConnection): Promise<void> => {
  const left = once(connection, "end", { signal: AbortSignal.timeout(1_000) });
  connection.quit();
  await left.catch(() => {});
};

const send = async (
  connection: SMTPConnection,
  message: EmailMessage,
  mayLeave: () => Promise<boolean>,
): Promise<void> => {
  let asked = false;
  const body = new Readable({
    // Read only after the answer to DATA: the last moment to stop a letter.
    read() {
      if (asked) return;
      asked = true;
      mayLeave().then(
        (yes) => {
          if (!yes) return body.destroy(new Held());
          body.push(message.raw);
          body.push(null);
        },
        () => body.destroy(new Held()),
      );
    },
  });
  await called((done) => connection.send({ from: message.from, to: [message.to] }, body, done));
};

const connectionOptions = (
  server: SmtpServer,
): ConstructorParameters<typeof SMTPConnection>[0] => ({
  host: server.host,
  port: server.port,
  secure: server.secure,
  name: server.name,
  requireTLS: !server.secure && server.tls === "required",
  opportunisticTLS: server.tls === "optional",
  ignoreTLS: server.tls === "none",
  tls: {
    rejectUnauthorized: server.tls === "required",
    ...(server.ca !== undefined && { ca: [...rootCertificates, server.ca] }),
  },
  // Each timeout is shorter than that of a whole delivery.
  dnsTimeout: 10_000,
  connectionTimeout: 25_000,
  greetingTimeout: 20_000,
  socketTimeout: 30_000,
  maxResponseSize: 64 * 1024,
});

/** How a server could repeat credentials: plain, and as AUTH PLAIN and LOGIN. */
const secretsOf = ({ credentials }: SmtpServer): string[] => {
  if (credentials === undefined) return [];
  const { user, password } = credentials;
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  return [base64(`\0${user}\0${password}`), base64(password), password];
};

const called = (start: (done: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    start((error) => (error ? reject(error) : resolve()));
  });
