import type { TestContext } from "node:test";
import type { Twin } from "../twins/twin.ts";
import type { Ask } from "../world/ask.ts";
import { type House, openHouse } from "../world/house.ts";
import { type Process, startProcess } from "../world/process.ts";
import { type Sink, startSink } from "../world/sink.ts";
import type { Tenant } from "../world/tenant.ts";

/** An empty installation with a mail server, whose services are separate processes. */
export interface MailHouse {
  readonly house: House;
  readonly sink: Sink;
  readonly tenant: Tenant;
  /** Starts a service that introduces itself to the mail server by this name. */
  start(name: string): Promise<Process>;
  /** How many letters are neither sent nor withdrawn. */
  waiting(ask: Ask): Promise<number>;
}

export const openMailHouse = async (t: TestContext, twin?: Twin): Promise<MailHouse> => {
  const sink = await startSink();
  t.after(() => sink.stop());
  const house = await openHouse(t, { environment: { MAIL_RETRY_SECONDS: "0.2" } });
  const tenant = await house.beside((world) => world.tenant());
  return {
    house,
    sink,
    tenant,
    start: (name) => {
      const SMTP_URL = `${sink.url}&name=${name}`;
      return startProcess(t, { ...house.environment, SMTP_URL }, { twin });
    },
    waiting: async (ask) => {
      const { letters } = (await ask("getOrganization")).body.organization;
      return letters.waiting + letters.refused;
    },
  };
};
