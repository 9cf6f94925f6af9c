// Debian's PgBouncer in front of the tests' Postgres, on 127.0.0.1: what lends one connection of the server to many.
import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./free-port";

const program = "/usr/sbin/pgbouncer";

/** Undefined, or why it cannot be tested here. */
export const noPooler = fs.existsSync(program) ? undefined : "Debian's pgbouncer is not installed: nothing pools";

export type Pooler = {
  through: (url: string) => string;
  /** Frozen: its connections stay open and nothing passes. */
  freeze: () => void;
  thaw: () => void;
  stop: () => Promise<void>;
};

/** `dir` is thrown away by the caller. `ignored` = start-up parameters that are taken and not passed on. */
export async function startPooler(
  dir: string,
  { to, mode, ignored = "options" }: { to: string; mode: "session" | "transaction"; ignored?: string },
): Promise<Pooler> {
  const { hostname, port: serverPort, username, password } = new URL(to);
  const port = await freePort();
  const isRoot = process.getuid?.() === 0;
  const file = path.join(dir, `${mode}-${port}.ini`);
  const secret = password === "" ? "" : ` password='${decodeURIComponent(password)}'`;
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "any",
    pool_mode: mode,
    default_pool_size: 40,
    max_client_conn: 200,
    ignore_startup_parameters: ignored,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const server = `* = host=${hostname} port=${serverPort} user=${decodeURIComponent(username)}${secret}`;
  fs.writeFileSync(file, `[databases]\n${server}\n[pgbouncer]\n${lines.join("\n")}\n`);
  // It refuses to run as root.
  const child = spawn(program, ["-q", ...(isRoot ? ["-u", "nobody"] : []), file], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (piece) => {
    said += piece;
  });
  const ended = new Promise((done) => child.once("exit", done));
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error(`pgbouncer did not start: ${said}`);
    await sleep(20);
  }
  return {
    through: (url) => {
      const own = new URL(url);
      own.hostname = "127.0.0.1";
      own.port = String(port);
      return own.href;
    },
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
    stop: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
