import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/** A TCP port of loopback that was free a moment ago. */
export const freeTcpPort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("There is no free port.");
  return address.port;
};

/** A UDP port that was free a moment ago. */
export const freeUdpPort = async (): Promise<number> => {
  const socket = createSocket("udp4").bind(0);
  await once(socket, "listening");
  const { port } = socket.address();
  socket.close();
  await once(socket, "close");
  return port;
};
