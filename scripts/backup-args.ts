// What `npm run db -- backup` and `restore` are told, and what is refused of it.
import path from "node:path";
import { parseArgs } from "node:util";

export type BackupArgs = { dir: string; tables: boolean; every_ms?: number; keep: number };

const units = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const everyMsMax = 30 * units.d;
const keepMax = 1_000;
const KEEP = 14;

export function readBackupArgs(args: readonly string[]): BackupArgs {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      tables: { type: "boolean", default: false },
      every: { type: "string" },
      keep: { type: "string" },
    },
    allowPositionals: true,
  });
  const [dir] = positionals;
  if (dir === undefined || positionals.length > 1)
    throw new Error(
      "Name one folder: npm run db -- backup DIR [--tables] [--every 6h --keep 14], npm run db -- restore DIR",
    );
  const { tables, every, keep } = values;
  if (every === undefined && keep !== undefined)
    throw new Error("--keep goes with --every: a single backup removes nothing. Add --every, or leave --keep out.");
  return {
    dir: path.resolve(dir),
    tables,
    ...(every !== undefined && { every_ms: readEvery(every) }),
    keep: readKeep(keep),
  };
}

function readEvery(given: string): number {
  const [, count = "", unit = ""] = /^(\d{1,6})([mhd])$/.exec(given) ?? [];
  const ms = Number(count) * (units[unit as keyof typeof units] ?? 0);
  if (ms >= units.m && ms <= everyMsMax) return ms;
  throw new Error(`--every is ${given}: write a time from 1m to 30d, such as 30m, 6h or 1d.`);
}

function readKeep(given: string | undefined): number {
  if (given === undefined) return KEEP;
  const keep = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  if (keep >= 1 && keep <= keepMax) return keep;
  throw new Error(`--keep is ${given}: write a whole number from 1 to ${keepMax}.`);
}
