// Everything that a start may load: run in a process of its own, it is compiled and kept.
import "../organizations/organizations.ts";
import "../db/postgres/open-postgres.ts";
import "../db/sqlite/open-sqlite.ts";
import "../main.ts";
import "./end.ts";
import "./main.ts";
import "./memory.ts";
import "./prepare-console.ts";
