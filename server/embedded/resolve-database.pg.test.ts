import net from "node:net";
import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import { makeScratch, removeScratch } from "@/server/testing/scratch";
import type { Database } from "./resolve-database";

let dataDir: string;

beforeEach(() => {
  dataDir = makeScratch();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await removeScratch(dataDir);
});

test("DATABASE_URL wins, and nothing is started", async () => {
  expect(await resolveWith({ DATABASE_URL: inject("admin_url") })).toEqual({
    url: inject("admin_url"),
    embedded: null,
  });
});

test("without it the embedded server of the data folder is started", async () => {
  const database = await resolveWith({ DATABASE_URL: "" });
  expect(database.embedded).toMatchObject({ url: database.url, data_dir: dataDir });
});

test("an unreachable server is named, without its password", async () => {
  await expect(resolveWith({ DATABASE_URL: "postgresql://u:hunter2@127.0.0.1:1/d" })).rejects.toThrow(
    "DATABASE_URL (postgresql://u:***@127.0.0.1:1/d) cannot be used: connect ECONNREFUSED 127.0.0.1:1. Correct it, or unset it to use the embedded Postgres.",
  );
});

test("Postgres 14 is refused by version", async () => {
  const old = await pretendToBePostgres("140011");
  try {
    const { port } = old.address() as net.AddressInfo;
    await expect(resolveWith({ DATABASE_URL: `postgresql://u@127.0.0.1:${port}/d` })).rejects.toThrow(
      /it is version 14; Switchyard needs 15 or newer/,
    );
  } finally {
    old.close();
  }
});

async function resolveWith(settings: Record<string, string>): Promise<Database> {
  for (const [name, value] of Object.entries({ SWITCHYARD_DATA_DIR: dataDir, ...settings })) vi.stubEnv(name, value);
  vi.resetModules();
  const { resolveDatabase } = await import("./resolve-database");
  return resolveDatabase();
}

// As much of the wire protocol as a log-in and one SHOW need: no server of that age can be had here.
async function pretendToBePostgres(version: string): Promise<net.Server> {
  const message = (type: string, body: Buffer) => {
    const head = Buffer.alloc(5, type);
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };
  const ready = message("Z", Buffer.from("I"));
  const column = Buffer.concat([
    Buffer.from([0, 1]),
    Buffer.from("server_version_num\0"),
    Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 25]),
  ]);
  const row = Buffer.concat([Buffer.from([0, 1, 0, 0, 0, version.length]), Buffer.from(version)]);
  const format = Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0]);
  const answer = [
    message("T", Buffer.concat([column, format])),
    message("D", row),
    message("C", Buffer.from("SHOW\0")),
  ];
  const server = net.createServer((socket) => {
    socket.once("data", () => {
      socket.write(Buffer.concat([message("R", Buffer.alloc(4)), ready]));
      // A connection sets itself up before it asks.
      socket.on("data", () => socket.write(Buffer.concat([...answer, ready])));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
