// The table of the README, from the results of one run.
import type { Result } from "./summarise";

const COLUMNS: [string, (result: Result) => string][] = [
  ["N", (r) => (r.size === 512 ? "8 x 64" : String(r.size))],
  ["who", (r) => r.contender],
  ["children/s", (r) => r.children_per_s.toLocaleString("en")],
  ["floor is", (r) => times(r.times_floor)],
  ["Switchyard is", (r) => times(r.switchyard_times)],
  ["p50 ms", (r) => String(r.p50_ms)],
  ["p99 ms", (r) => String(r.p99_ms)],
  ["statements/child", (r) => String(r.statements_per_child)],
  ["write tx/child", (r) => String(r.transactions_per_child)],
  ["WAL bytes/child", (r) => r.wal_bytes_per_child.toLocaleString("en")],
];

export function tableOf(results: Result[]): string {
  const lines = [COLUMNS.map(([title]) => title), COLUMNS.map(() => "---")];
  for (const result of results) lines.push(COLUMNS.map(([, cell]) => cell(result)));
  return lines.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

const times = (ratio: number | null): string => (ratio === null ? "" : `${ratio} x`);
