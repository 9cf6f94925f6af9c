// A server that is there and does not answer, as on a machine that is busy with something else.
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { ensureProductRole } from "./product-role";

test("a server that does not answer in time, or ends the connection, is not ready yet", async () => {
  const sockets = new Set<Socket>();
  let isClosing = false;
  const silent = createServer((socket) => {
    sockets.add(socket);
    if (isClosing) socket.destroy();
  });
  await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
  const url = `postgresql://me:secret@127.0.0.1:${(silent.address() as AddressInfo).port}/switchyard`;
  try {
    expect(await ensureProductRole(url)).toBe(false);
    isClosing = true;
    expect(await ensureProductRole(url)).toBe(false);
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => silent.close(done));
  }
  expect(await ensureProductRole(url)).toBe(false);
}, 30_000);
