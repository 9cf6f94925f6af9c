import pg from "pg";
import { startEmbedded } from "@/server/embedded/start";
import { makeScratch, removeScratch } from "@/server/testing/scratch";
import { openSwitchyard } from "./fork/switchyard";

const dir = makeScratch();
const { admin_url } = await startEmbedded({ dataDir: dir, settings: { autovacuum: "off" } });
const admin = new pg.Client(admin_url);
await admin.connect();
await admin.query("CREATE DATABASE x");
await admin.end();
const url = new URL(admin_url);
url.pathname = "/x";
type T = [number, number, number, string];
let log: T[] | null = null;
let t0 = 0;
const orig = pg.Client.prototype.query;
(pg.Client.prototype as any).query = function (...a: any[]) {
  const q = a[0];
  const name = q?.name ?? (typeof q === "string" ? q : (q?.text ?? "?")).slice(0, 40).replace(/\n\s*/g, " ");
  const l = log;
  const s = performance.now();
  const r = (orig as any).apply(this, a);
  if (l && r?.then)
    r.then(
      () => l.push([s - t0, performance.now() - t0, (this as any).processID, name]),
      () => {},
    );
  return r;
};
const c = await openSwitchyard(url.href);
await c.fork(64);
await c.fork(1);
await c.fork(64);
const show = process.argv[2] === "show";
for (const n of [1, 64]) {
  const all: number[] = [];
  const per = new Map<string, { n: number; ms: number }>();
  let last: T[] = [];
  for (let i = 0; i < 30; i++) {
    log = [];
    t0 = performance.now();
    await c.fork(n);
    all.push(performance.now() - t0);
    await new Promise((r) => setTimeout(r, 30));
    last = log;
    log = null;
    for (const [a, b, , x] of last) {
      const e = per.get(x) ?? { n: 0, ms: 0 };
      e.n++;
      e.ms += b - a;
      per.set(x, e);
    }
  }
  all.sort((a, b) => a - b);
  console.log(
    "=== N",
    n,
    "p50",
    all[15]!.toFixed(1),
    "min",
    all[0]!.toFixed(1),
    "statements",
    [...per.values()].reduce((s, e) => s + e.n, 0) / 30,
  );
  if (show)
    for (const [a, b, p, x] of last.sort((x, y) => x[0] - y[0]))
      console.log(`${a.toFixed(1).padStart(7)} ${(b - a).toFixed(1).padStart(6)} ${p} ${x}`);
}
await c.close();
await removeScratch(dir);
process.exit(0);
