// nginx and Caddy as in docs/deploy.md, in front of the real sign-in: the documented setting once passed on a client's own
// X-Forwarded-For, and guesses were not counted any more.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import https from "node:https";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { keepSessions } from "@/server/access/live-sessions";
import { raiseWalls } from "@/server/access/walls";
import { isSessionLive } from "@/server/kernel/sessions/is-session-live";
import { freePort } from "@/server/testing/free-port";
import { openTestKernel, type TestKernel } from "@/server/testing/kernel";
import { makeScratch, removeScratch } from "@/server/testing/scratch";
import { signIn, signOut, tellSession } from "./serve-session";

const token = vi.hoisted(() => {
  vi.stubEnv("SWITCHYARD_TOKEN", "0123456789abcdef");
  vi.stubEnv("SWITCHYARD_ORIGINS", "https://yard.example.org");
  vi.stubEnv("SWITCHYARD_TRUSTED_PROXIES", "1");
  return "0123456789abcdef";
});

const docs = fs.readFileSync(path.join(import.meta.dirname, "../../../docs/deploy.md"), "utf8");
const isThere = (program: string) => spawnSync(program, [program === "nginx" ? "-v" : "version"]).error === undefined;
// Clients with different addresses: only on Linux is all of 127.0.0.0/8 loopback.
const missing = ["nginx", "caddy", "openssl"].filter((program) => !isThere(program));
if (process.platform !== "linux") missing.push("Linux");

let kernel: TestKernel;
let scratch = "";
let upstream = 0;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  kernel = await openTestKernel();
  keepSessions((session_id) => isSessionLive(kernel, { session_id }));
  raiseWalls({ isDev: false });
  scratch = makeScratch();
  const server = http.createServer((incoming, outgoing) => void answer(incoming, outgoing));
  upstream = await listen(server);
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
});
afterAll(async () => {
  for (const close of closing.reverse()) await close();
  vi.unstubAllEnvs();
  await kernel.close();
  await removeScratch(scratch);
});

describe.each(["nginx", "caddy"] as const)("behind %s as it is documented", (program) => {
  const port = { now: 0 };
  beforeAll(async () => {
    if (missing.length === 0) port.now = await start(program);
  });
  const about = (what: string) => (missing.length === 0 ? what : `${what} (not tried: ${missing.join(", ")} missing)`);
  // One client's attempts do not count for the other.
  const [own, neighbour] = program === "nginx" ? ["127.0.0.2", "127.0.0.3"] : ["127.0.0.4", "127.0.0.5"];
  const on = test.skipIf(missing.length > 0);
  const ask = (method: string, headers: Record<string, string>, body?: string, localAddress = own) =>
    send(port.now, { method, headers, body, localAddress });

  on(about("a session is Secure, is known again, and ends"), async () => {
    const made = await ask("POST", {}, JSON.stringify({ token }));
    expect([made.status, made.headers["strict-transport-security"]]).toEqual([204, "max-age=31536000"]);
    const [cookie = ""] = made.headers["set-cookie"] ?? [];
    expect(cookie).toMatch(/^__Host-switchyard_.*; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/);
    const pair = { cookie: cookie.split(";")[0] ?? "" };
    expect((await ask("GET", pair)).status).toBe(204);
    expect((await ask("DELETE", { ...pair, origin: "https://yard.example.org" })).status).toBe(204);
    expect((await ask("GET", pair)).status).toBe(401);
  });

  on(about("guesses are counted by who sends them, whatever he writes about himself"), async () => {
    const guess = (n: number) =>
      ask("POST", { "x-forwarded-for": `203.0.113.${n}`, "x-switchyard-peer": `203.0.113.${n}` }, '{"token":"guess"}');
    const guesses = await Promise.all(Array.from({ length: 10 }, (_, n) => guess(n)));
    expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([401]));
    const right = JSON.stringify({ token });
    expect((await ask("POST", { "x-forwarded-for": "203.0.113.99" }, right)).status).toBe(429);
    expect((await ask("POST", {}, right, neighbour)).status).toBe(204);
  });

  on(about("a stream's first word comes at once, and a big body comes through"), async () => {
    const stream = await new Promise<string>((resolve, reject) => {
      const request = https.get(
        { ...to(port.now), path: "/stream", headers: { host: "yard.example.org" } },
        (response) =>
          response.once("data", (chunk: Buffer) => {
            resolve(chunk.toString());
            request.destroy();
          }),
      );
      request.on("error", reject);
    });
    expect(stream).toBe("retry: 1\n\n");
    const asked = await send(port.now, {
      method: "GET",
      headers: { host: "yard.example.org:8443" },
      path: "/host",
    });
    // An origin with a port used to be refused: the proxy passed on only the host name.
    expect(asked.text).toBe("yard.example.org:8443");
    const big = await send(port.now, { method: "POST", headers: {}, body: "x".repeat(20_000_000), path: "/length" });
    expect([big.status, big.text]).toEqual([200, "20000000"]);
  });
});

type Sent = { method: string; headers: Record<string, string>; body?: string; localAddress?: string; path?: string };
type Answer = { status: number; headers: http.IncomingHttpHeaders; text: string };

const to = (port: number) => ({
  host: "127.0.0.1",
  port,
  servername: "yard.example.org",
  rejectUnauthorized: false,
  agent: false,
});

function send(port: number, { method, headers, body, localAddress, path = "/api/session" }: Sent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { ...to(port), path, method, localAddress };
    const own = { host: "yard.example.org", "content-type": "application/json" };
    const request = https.request({ ...options, headers: { ...own, ...headers } }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    request.on("error", reject);
    request.end(body);
  });
}

/** What Next does for the product. */
async function answer(incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> {
  if (incoming.url === "/stream") {
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    outgoing.write("retry: 1\n\n");
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  if (incoming.url === "/length") return void outgoing.end(String(bytes.length));
  if (incoming.url === "/host") return void outgoing.end(incoming.headers.host);
  const request = new Request(`http://127.0.0.1${incoming.url}`, {
    method: incoming.method,
    headers: incoming.headers as Record<string, string>,
    body: incoming.method === "POST" ? bytes : undefined,
  });
  const serve = { POST: signIn, DELETE: signOut }[incoming.method ?? ""];
  const response = await (serve ? serve(kernel, request) : tellSession(request));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(await response.text());
}

async function start(program: "nginx" | "caddy"): Promise<number> {
  const port = await freePort();
  const [pem, key] = certificate();
  const block =
    docs.match(new RegExp(`\`\`\`${program === "nginx" ? "nginx" : "caddyfile"}\n([^]*?)\`\`\``))?.[1] ?? "";
  const shown = block.replace("127.0.0.1:4600", `127.0.0.1:${upstream}`);
  const file = path.join(scratch, program);
  const dir = path.join(scratch, `${program}-files`);
  fs.mkdirSync(dir);
  if (program === "nginx") {
    const own = shown.replace("listen 443 ", `listen 127.0.0.1:${port} `).replace(/\/etc\/ssl\/\S+\.pem/, pem);
    const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((one) => `${one}_temp_path ${dir}/${one};`);
    const main = `daemon off; pid ${dir}/pid; error_log stderr warn; ${process.getuid?.() === 0 ? "user root;" : ""}`;
    fs.writeFileSync(
      file,
      `${main}\nevents {}\nhttp {\naccess_log off; ${places.join(" ")}\n${own.replace(/\/etc\/ssl\/\S+\.key/, key)}\n}\n`,
    );
  } else {
    const own = shown.replace(
      "yard.example.org {",
      `https://yard.example.org:${port} {\n  bind 127.0.0.1\n  tls ${pem} ${key}`,
    );
    const main = "admin off\n  auto_https off\n  servers {\n    protocols h1 h2\n  }";
    fs.writeFileSync(file, `{\n  ${main}\n}\n${own}`);
  }
  const args = program === "nginx" ? ["-p", dir, "-c", file] : ["run", "--adapter", "caddyfile", "--config", file];
  const child = spawn(program, args, { env: { ...process.env, HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir } });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said += chunk;
  });
  closing.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    // nginx stops its workers too; Caddy would wait for every stream to end.
    child.kill(program === "nginx" ? "SIGTERM" : "SIGKILL");
    await once(child, "exit");
  });
  for (let tries = 0; tries < 300; tries++) {
    if (child.exitCode !== null) break;
    if (await isOpen(port)) return port;
    await sleep(100);
  }
  throw new Error(`${program} does not take the documented settings:\n${said}`);
}

function certificate(): [pem: string, key: string] {
  const [pem, key] = [path.join(scratch, "yard.pem"), path.join(scratch, "yard.key")];
  if (!fs.existsSync(pem))
    execFileSync(
      "openssl",
      ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=yard.example.org"].concat([
        ...["-addext", "subjectAltName=DNS:yard.example.org", "-out", pem, "-keyout", key],
      ]),
      { stdio: "pipe" },
    );
  return [pem, key];
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1", () => resolve(true));
    socket.on("error", () => resolve(false)).on("connect", () => socket.destroy());
  });
}

async function listen(server: http.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
