// The baseline of a target: Fastify, answering a constant, one row or a search by pg. Reads its answers from standard
// input and prints its address.
import { text } from "node:stream/consumers";
import fastify, { type FastifyReply } from "fastify";
import { Pool } from "pg";
import type { Constants } from "./constants.ts";

const { answers, row, search }: Constants = JSON.parse(await text(process.stdin));
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
if (search !== undefined) {
  const pool = new Pool({ connectionString: search.databaseUrl, max: 10 });
  app.get<{ readonly Querystring: { readonly term: string } }>("/search", async (request) => {
    const pattern = `%${request.query.term}%`;
    const [counted, page] = await Promise.all([
      pool.query("select count(*) from plain_rooms where name like $1", [pattern]),
      pool.query("select record from plain_rooms where name like $1 order by name, id limit 25", [
        pattern,
      ]),
    ]);
    return { total: Number(counted.rows[0].count), rows: page.rows };
  });
}
process.stdout.write(`${await app.listen({ host: "127.0.0.1", port: 0 })}\n`);
