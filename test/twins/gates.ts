import type { Twin } from "./twin.ts";

/** Admits a ticket as long as it is known, as LiveKit does with its tokens. */
export const opensEveryTicket: Twin = {
  name: "asks no ticket whether its seat has ended",
  replaced: [
    {
      file: "meetings/doors/presence.ts",
      lines: 'const livingMedia = ["claimed", "inside", "away"] as const;',
      by: 'const livingMedia = ["claimed", "inside", "away", "leaving", "left"] as const;',
    },
  ],
};

/** Forwards the browser's own request to the engine. */
export const passesQueriesOn: Twin = {
  name: "passes a browser's query on",
  replaced: [
    {
      file: "media/relay.ts",
      lines: "const asked = writeJoinRequest(joinRequest);",
      by: `const asked = writeJoinRequest(joinRequest);
        globalThis.published = query.get("publish");`,
    },
    {
      file: "media/cluster.ts",
      lines: "const query = new URLSearchParams({ join_request: joinRequest });",
      by: `const query = new URLSearchParams({ join_request: joinRequest });
        if (globalThis.published) query.set("publish", globalThis.published);`,
    },
  ],
};

/** Generates codes with a constant part. */
export const shortensCodes: Twin = {
  name: "makes codes with fewer random letters",
  replaced: [
    {
      file: "meetings/state/links.ts",
      lines: "[...randomBytes(12)]",
      by: "[...randomBytes(8), ...randomBytes(4).map((byte) => byte & 7)]",
    },
  ],
};

/** Logs the address of each request. */
export const logsAddresses: Twin = {
  name: "logs the address of each request",
  replaced: [
    {
      file: "http/app.ts",
      lines: "method: request.method, status:",
      by: "method: request.method, url: request.url, status:",
    },
  ],
};

/** Requests a removal from the engine only once, whether or not it answers. */
export const removesOnce: Twin = {
  name: "asks once to remove somebody",
  replaced: [
    {
      file: "media/cluster.ts",
      lines: 'callRoomService(cluster(), "RemoveParticipant", person),',
      by: 'Promise.reject(new EngineUnavailable("It does not answer.")),',
    },
  ],
};

/** Ends a meeting for everybody only once the media engine has let them go. */
export const closesLate: Twin = {
  name: "ends a meeting for everybody when the engine agrees",
  replaced: [
    {
      file: "socket/moderator-commands.ts",
      lines: "await settleMeeting(change, meeting.id, true);",
      by: "",
    },
  ],
};
