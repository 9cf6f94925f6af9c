// The moment between a web server that listens and the walls that stand around it.
import { spawn } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.join(import.meta.dirname, "..");
const program = `
const server = require("node:http").createServer((request, response) => response.end("answered"));
server.listen(0, "127.0.0.1", async () => {
  const ask = () => fetch("http://127.0.0.1:" + server.address().port).then((r) => r.text(), () => "cut");
  const before = await ask();
  globalThis.switchyardHasWalls = true;
  console.log(before + ", " + (await ask()));
  process.exit();
});`;

test("what comes before the walls stand is cut, what comes after is answered", async () => {
  const child = spawn(process.execPath, ["--import", "./scripts/closed-without-walls.mjs", "-e", program], {
    cwd: root,
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      said += chunk;
    });
  await new Promise((resolve) => child.on("close", resolve));
  expect(said.trim()).toBe("cut, answered");
});
