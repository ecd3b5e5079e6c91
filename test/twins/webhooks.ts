import type { Twin } from "./twin.ts";

/** Queues events for webhooks a moment after the change was committed and answered. */
export const queuesLater: Twin = {
  name: "queues deliveries after the commit",
  replaced: [
    {
      file: "change/organization.ts",
      lines: "await queueDeliveries(change, events);",
      by: `setTimeout(() => {
        database
          .change((later) => queueDeliveries({ ...change, tx: later }, events), id)
          .catch(() => {});
      }, 300);`,
    },
  ],
};

/** Sends what waits without claiming it. */
export const sendsWithoutLease: Twin = {
  name: "claims deliveries without a lease",
  replaced: [
    {
      file: "webhooks/claims.ts",
      lines: ".set({ attempts, due_at: now(DELIVERY_LEASE_MS), queued_at })",
      by: ".set({ attempts, due_at: now(), queued_at })",
    },
    {
      file: "webhooks/claims.ts",
      lines: '.where("due_at", ">", now())',
      by: "",
    },
  ],
};

/** Lets Node resolve the name again when it connects. */
export const resolvesAgain: Twin = {
  name: "dials what the name means at that moment",
  replaced: [
    { file: "webhooks/post.ts", lines: "      lookup,\n", by: "" },
    { file: "live/rtmp.ts", lines: "{ host, port, lookup }", by: "{ host, port }" },
  ],
};
