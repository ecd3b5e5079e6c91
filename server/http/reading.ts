import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import { BODY_BYTES } from "../../contract/kit/plain.ts";
import { type Reason, reason } from "../../contract/kit/reasons.ts";
import { countedAddress } from "../access/throttle.ts";
import type { Config } from "../config/config.ts";
import { callerPerson } from "../db/person-keys.ts";
import { addressOf } from "../lib/networks.ts";
import { Refusal } from "../lib/refusal.ts";
import { limits } from "./limits.ts";

/*
 * Bodies that are being read hold memory as long as their clients take. It is limited, for one
 * holder and in all. Beyond a limit the oldest one is refused, of the holder or of the holder with
 * most: a body that does not arrive gives way to one that does.
 */

/** In bytes: of one body, of a holder's bodies, and of all. */
export interface ReadingLimits {
  readonly body: number;
  readonly ofOne: number;
  readonly inAll: number;
}

/** The size of a body before its first byte: the cost of its request. */
const FIRST_BYTES = 2_048;

interface Reading {
  held: number;
  /** Ends it before its body is there. */
  readonly end: (refusal: Refusal) => void;
}

/** A holder's bodies, oldest first. */
interface Holder {
  held: number;
  readonly readings: Set<Reading>;
}

/** @param bytes the known part of the body's length */
const tooLarge = (largest: number, bytes: number): Refusal => {
  const refused = (why: Reason) => new Refusal("body_too_large", [], why);
  if (largest > BODY_BYTES) return refused(reason("body_over", { max: largest }));
  if (bytes > BODY_BYTES) return new Refusal("body_too_large");
  return refused(reason("body_over_without_token", { max: largest }));
};

/** The bodies that are being read under one set of limits. */
export class Readings {
  readonly #limits: ReadingLimits;
  readonly #holders = new Map<string, Holder>();
  #held = 0;

  constructor(given: ReadingLimits) {
    this.#limits = given;
  }

  /**
   * Reads a body. Its parts are copied into one buffer as they come: single parts would take a
   * hundred times the memory of a byte.
   *
   * @param largest the most bytes of this body
   * @throws Refusal `body_too_large`; `too_many_requests`, `overloaded` beyond the limits
   */
  read(
    stream: IncomingMessage,
    name: string,
    largest: number = this.#limits.body,
  ): Promise<Buffer> {
    const announced = Number(stream.headers["content-length"] ?? 0);
    if (announced > largest) throw tooLarge(largest, announced);
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    let bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
    let length = 0;
    const stop = (): void => {
      stream.off("data", take).off("end", finish).off("error", fail);
      this.#release(name, reading);
    };
    const fail = (error: Error): void => {
      stop();
      reject(error);
    };
    const finish = (): void => {
      stop();
      resolve(bytes.subarray(0, length));
    };
    const take = (part: Buffer): void => {
      const needed = length + part.length;
      if (needed > largest) {
        fail(tooLarge(largest, needed));
        return;
      }
      if (needed > bytes.length) {
        const size = Math.min(largest, Math.max(needed, bytes.length * 2));
        if (!this.#hold(name, reading, size - bytes.length)) return;
        const larger = Buffer.allocUnsafeSlow(size);
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      part.copy(bytes, length);
      length = needed;
    };
    const reading: Reading = { held: 0, end: fail };
    stream.on("data", take).on("end", finish).on("error", fail);
    this.#hold(name, reading, FIRST_BYTES);
    return promise;
  }

  /** Lets a body hold more. @returns whether it may still be read */
  #hold(name: string, reading: Reading, more: number): boolean {
    const holder = this.#holders.get(name) ?? { held: 0, readings: new Set() };
    this.#holders.set(name, holder);
    holder.readings.add(reading);
    reading.held += more;
    holder.held += more;
    this.#held += more;
    while (holder.held > this.#limits.ofOne) this.#endOldest(holder, "too_many_requests");
    while (this.#held > this.#limits.inAll) this.#endOldest(this.#largest(), "overloaded");
    return holder.readings.has(reading);
  }

  #release(name: string, reading: Reading): void {
    const holder = this.#holders.get(name);
    if (!holder?.readings.delete(reading)) return;
    holder.held -= reading.held;
    this.#held -= reading.held;
    if (holder.readings.size === 0) this.#holders.delete(name);
  }

  #endOldest({ readings }: Holder, code: "too_many_requests" | "overloaded"): void {
    readings.values().next().value?.end(new Refusal(code));
  }

  #largest(): Holder {
    return this.#holders.values().reduce((one, other) => (other.held > one.held ? other : one));
  }
}

/**
 * Reads a request's body: a stranger's may be only small, and takes no room of callers with a
 * token.
 */
export type ReadBody = (request: FastifyRequest) => Promise<Buffer>;

export const openReadings = ({ trustProxy }: Pick<Config, "trustProxy">): ReadBody => {
  const from = addressOf(trustProxy);
  const ofStrangers = new Readings(limits.bodiesOfStrangers);
  const ofCallers = new Readings(limits.bodiesOfCallers);
  return ({ auth, directory, raw, routeOptions }) => {
    const caller = auth?.caller ?? directory?.caller;
    return caller === undefined
      ? ofStrangers.read(raw, countedAddress(from(raw)))
      : ofCallers.read(raw, callerPerson(caller), routeOptions.config.operation?.body);
  };
};
