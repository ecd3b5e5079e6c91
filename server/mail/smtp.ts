import { once } from "node:events";
import { Readable } from "node:stream";
import { rootCertificates } from "node:tls";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Message } from "./message.ts";
import { Held, judge, type Outcome } from "./outcome.ts";
import type { SmtpServer } from "./smtp-url.ts";

/** How a delivery is accompanied. */
export interface Escort {
  /** Ends it at once; what is on its way is cut off. */
  readonly signal: AbortSignal;
  /** Asked when the server waits for the message, before its first byte leaves. */
  readonly mayLeave: () => Promise<boolean>;
  /** What the letter holds that no error may repeat. */
  readonly secrets: readonly string[];
}

/** Hands one message to the mail server (RFC 5321), over a connection of its own. Never throws. */
export const deliverBySmtp = async (
  server: SmtpServer,
  message: Message,
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
 * Connects as for a letter (greeting, EHLO, TLS, authentication) and leaves again.
 *
 * @returns what went wrong; `sent` means that letters would be taken.
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
  signal.throwIfAborted();
  const connection = new SMTPConnection(connectionOptions(server));
  const broken = new Promise<never>((_, reject) => {
    // Stays to the end: an error that nobody listens to would end the process.
    connection.on("error", reject);
    // Later than what the server said before it left, which tells more.
    connection.once("end", () =>
      setImmediate(() => reject(new Error("The mail server closed the connection."))),
    );
    signal.addEventListener(
      "abort",
      () => reject(new Error("The mail server did not answer in time.")),
      { once: true },
    );
  });
  broken.catch(() => {});
  try {
    await Promise.race([broken, called((done) => connection.connect(done))]);
    const { credentials } = server;
    // A server that offers no authentication says itself, after MAIL FROM, whether it wants some.
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
    // Not close(): that would first write out what waits in the socket, such as a letter's last line.
    if (connection._socket) connection._socket.destroy();
    throw error;
  } finally {
    connection.close();
  }
};

/**
 * Servers count connections: the next one should not meet this one still open. A server that does
 * not answer QUIT is not waited for.
 */
const farewell = async (connection: SMTPConnection): Promise<void> => {
  const left = once(connection, "end", { signal: AbortSignal.timeout(1_000) });
  connection.quit();
  await left.catch(() => {});
};

const send = async (
  connection: SMTPConnection,
  message: Message,
  mayLeave: () => Promise<boolean>,
): Promise<void> => {
  let asked = false;
  const body = new Readable({
    // First read when the server has answered DATA: the last moment at which a letter can be held.
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
  // All of them end before a whole delivery must.
  dnsTimeout: 10_000,
  connectionTimeout: 25_000,
  greetingTimeout: 20_000,
  socketTimeout: 30_000,
  maxResponseSize: 64 * 1024,
});

/** How a server could repeat its credentials: as they are, and as AUTH PLAIN and LOGIN send them. */
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
