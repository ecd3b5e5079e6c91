// The baseline of a target: Fastify, answering a constant or one row by pg. Reads its answers from standard
// input and prints its address.
import { text } from "node:stream/consumers";
import fastify, { type FastifyReply } from "fastify";
import { Pool } from "pg";
import type { Constants } from "./constants.ts";

const { answers, row }: Constants = JSON.parse(await text(process.stdin));
const app = fastify();

for (const { route, headers, body } of answers) {
  app.get(route, (_request, reply: FastifyReply) => {
    for (const [name, value] of headers) reply.header(name, value);
    reply.send(body);
  });
}
if (row !== undefined) {
  const pool = new Pool({ connectionString: row.databaseUrl, max: 10 });
  app.get<{ readonly Params: { readonly id: string } }>("/row/:id", async (request) => {
    const { rows } = await pool.query(
      "select * from rooms where organization_id = $1 and room = $2",
      [row.organizationId, request.params.id],
    );
    return rows[0];
  });
}
process.stdout.write(`${await app.listen({ host: "127.0.0.1", port: 0 })}\n`);
