// A contender's process, as the runner sees it.
import { fork } from "node:child_process";
import path from "node:path";
import type { Message, Order, Report } from "./host";

export type Player = {
  name: string;
  url: string;
  database: string;
  run: (order: Order) => Promise<Report>;
  stop: () => void;
};

const START_MS_MAX = 60_000;
const RUN_MS_MAX = 120_000;

export async function startPlayer(name: string, url: string): Promise<Player> {
  const child = fork(path.join(import.meta.dirname, "host.ts"), [name, url], {
    execArgv: ["--import", "tsx"],
    env: { ...process.env, NODE_ENV: "production", SWITCHYARD_LOG: "warn" },
  });
  const next = (msMax: number): Promise<Message> =>
    new Promise((resolve, reject) => {
      const settle = (work: () => void): void => {
        clearTimeout(timer);
        child.off("message", hear);
        child.off("exit", leave);
        work();
      };
      const hear = (message: Message): void => settle(() => resolve(message));
      const leave = (code: number | null): void => settle(() => reject(new Error(`${name} ended with ${code}`)));
      const timer = setTimeout(() => settle(() => reject(new Error(`${name} said nothing for ${msMax} ms`))), msMax);
      child.on("message", hear);
      child.on("exit", leave);
    });
  const started = await next(START_MS_MAX);
  if (started.kind === "failed") throw new Error(`${name}: ${started.error}`);
  return {
    name,
    url,
    database: new URL(url).pathname.slice(1),
    run: async (order) => {
      child.send(order);
      const message = await next(RUN_MS_MAX);
      if (message.kind === "done") return message.report;
      throw new Error(`${name}: ${message.kind === "failed" ? message.error : "unexpected answer"}`);
    },
    stop: () => void child.kill("SIGKILL"),
  };
}
