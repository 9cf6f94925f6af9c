// One log for every process: short lines for a person at a terminal, JSON for a collector, and never a secret.
import pino, { type Logger } from "pino";
import { env } from "./env";

let root: Logger | undefined;

export function log(): Logger {
  root ??= createLog({ level: env().SWITCHYARD_LOG, isTerminal: Boolean(process.stdout.isTTY), write: toStdout });
  return root;
}

export function createLog(options: { level: string; isTerminal: boolean; write: (line: string) => void }): Logger {
  const secrets = ["password", "token", "secret", "authorization", "cookie", "api_key"];
  return pino(
    {
      level: options.level,
      base: { pid: process.pid },
      redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: "***" },
    },
    { write: (line: string) => options.write(maskUrls(options.isTerminal ? pretty(line) : line)) },
  );
}

/** Drivers put the whole connection URL into their error messages. */
export function maskUrls(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/[^\s:@/"]*):[^\s/"]+@/gi, "$1:***@");
}

function toStdout(line: string): void {
  process.stdout.write(line);
}

const colours: Record<string, number> = { warn: 33, error: 31, fatal: 31 };

function pretty(line: string): string {
  const { level, time, pid: _pid, msg = "", err, ...rest } = JSON.parse(line);
  const name = pino.levels.labels[level] ?? String(level);
  const clock = new Date(time).toTimeString().slice(0, 8);
  const facts = Object.entries(rest).map(
    ([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const text = [clock, name.padEnd(5), msg, ...facts].join(" ");
  const painted = colours[name] ? `\u001b[${colours[name]}m${text}\u001b[0m` : text;
  return err ? `${painted}\n  ${err.stack ?? err.message}\n` : `${painted}\n`;
}
