// A real nats-server with JetStream for tests and chaos runs: on loopback, on a free port, stopped by its own pid. Killed
// and started again it keeps its port and its folder, as a server that crashed does.
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./free-port";

export type NatsServer = {
  /** nats://127.0.0.1:port, without credentials. */
  url: string;
  port: number;
  /** Of the process that runs now; 0 while none does. */
  readonly pid: number;
  /** Orderly; also removes the folder, unless it was given. */
  stop: () => Promise<void>;
  kill9: () => Promise<void>;
  restart: () => Promise<void>;
};

export type NatsServerInput = {
  /** Where JetStream keeps its streams. */
  dir?: string;
  port?: number;
  /** Further arguments, such as --user and --pass or --tlscert. */
  args?: string[];
  withoutJetStream?: boolean;
};

const readyMsMax = 15_000;

/** Path of the program; null where it is not installed (Debian: apt install nats-server). */
function findNatsServer(): string | null {
  const folders = [...(process.env.PATH ?? "").split(path.delimiter), "/usr/sbin", "/usr/local/sbin"];
  return folders.map((folder) => path.join(folder, "nats-server")).find((file) => fs.existsSync(file)) ?? null;
}

/** For `test.skipIf`: says why where the program is absent. */
export function isNatsMissing(): boolean {
  if (findNatsServer() !== null) return false;
  console.warn("nats-server is not installed: the tests of the NATS doorbell are skipped");
  return true;
}

export async function startNats(input: NatsServerInput = {}): Promise<NatsServer> {
  const program = findNatsServer();
  if (program === null) throw new Error("nats-server is not installed (Debian: apt install nats-server)");
  const dir = input.dir ?? fs.mkdtempSync(path.join(os.tmpdir(), `switchyard-nats-${process.pid}-`));
  const port = input.port ?? (await freePort());
  const store = input.withoutJetStream ? [] : ["-js", "-sd", dir];
  const args = ["-a", "127.0.0.1", "-p", String(port), ...store, ...(input.args ?? [])];
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    child = await launch(program, args, port);
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = new Promise((done) => ending.once("exit", done));
    ending.kill(signal);
    await ended;
  };
  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    get pid() {
      return child?.pid ?? 0;
    },
    stop: async () => {
      await end("SIGTERM");
      if (!input.dir) fs.rmSync(dir, { recursive: true, force: true });
    },
    kill9: () => end("SIGKILL"),
    restart: async () => {
      await end("SIGTERM");
      await start();
    },
  };
}

async function launch(program: string, args: string[], port: number): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-4_000);
  });
  // A test that dies must not leave a server behind.
  const leave = (): void => void child.kill("SIGKILL");
  process.once("exit", leave);
  child.once("exit", () => process.off("exit", leave));
  const failed = new Promise<never>((_done, refuse) => {
    child.once("error", refuse);
    child.once("exit", () => refuse(new Error(`nats-server ended:\n${said}`)));
  });
  failed.catch(() => undefined);
  const ready = async (): Promise<ChildProcess> => {
    for (const until = Date.now() + readyMsMax; Date.now() < until; await sleep(20))
      if (await greets(port)) return child;
    child.kill("SIGKILL");
    throw new Error(`nats-server did not answer on port ${port} in ${readyMsMax} ms:\n${said}`);
  };
  return Promise.race([ready(), failed]);
}

// It accepts connections shortly before it answers.
function greets(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = net.connect(port, "127.0.0.1");
    const answer = (isThere: boolean): void => {
      socket.destroy();
      done(isThere);
    };
    socket.setTimeout(1_000, () => answer(false));
    socket.once("data", () => answer(true));
    socket.once("error", () => answer(false));
    socket.once("close", () => done(false));
  });
}
