// Readiness means a successful log-in, not an open port. The first log-in also creates the product's database.
import pg from "pg";
import { makeClient } from "@/server/address";

/** True if the server answers; false while it is starting, stopping or missing. Other refusals are errors. */
export async function probe(url: string): Promise<boolean> {
  const answer = await tryConnect(url, "SELECT 1");
  if (answer !== "3D000") return answer === "ok";
  const admin = new URL(url);
  const name = admin.pathname.slice(1);
  admin.pathname = "/postgres";
  await tryConnect(admin.href, `CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  return (await tryConnect(url, "SELECT 1")) === "ok";
}

// 57P03 starting or stopping, 57P01 and 57P02 being shut down, 53300 full, 42P04 and 23505 another made it first.
const passing = ["ECONNREFUSED", "ECONNRESET", "EPIPE", "57P03", "57P01", "57P02", "53300", "42P04", "23505", "3D000"];

async function tryConnect(url: string, sql: string): Promise<string> {
  const client = makeClient({ url, name: "switchyard-probe" });
  // A server that goes away while we are connected says so on the client as well as on the query.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query(sql);
    return "ok";
  } catch (error) {
    const passed = passingOf(error);
    if (passed !== null) return passed;
    const { message } = error as { message: string };
    throw new Error(`The embedded Postgres refused a log-in: ${message}`, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Why a server did not answer that may answer later; null for other errors. */
export function passingOf(error: unknown): string | null {
  const { code, message } = error as { code?: string; message: string };
  if (code && passing.includes(code)) return code;
  return /terminated|timeout/i.test(message) ? "timeout" : null;
}
