// Loaded into the web server first: twice a second it reports to its parent how long the event loop was blocked, and which
// requests were being answered then. Other load on the machine delays it as well, so only the time that this process itself
// computed counts.
import diagnostics from "node:diagnostics_channel";
import { monitorEventLoopDelay } from "node:perf_hooks";

const everyMs = 500;
const tickMs = 10;
const shownMax = 12;
const delay = monitorEventLoopDelay({ resolution: tickMs });
delay.enable();

/** Requests that are being answered, and those that were answered since the last tick. */
const open = new Map();
let ended = [];
let worst = { ms: 0, during: [] };

diagnostics.subscribe("http.server.request.start", ({ request, response }) => {
  open.set(request, `${request.method} ${(request.url ?? "").slice(0, 160)}`);
  response.once("close", () => {
    ended.push(open.get(request));
    open.delete(request);
  });
});

let last = performance.now();
setInterval(() => {
  const now = performance.now();
  const ms = now - last - tickMs;
  last = now;
  if (ms > worst.ms) worst = { ms, during: [...ended, ...open.values()].slice(0, shownMax) };
  ended = [];
}, tickMs).unref();

let cpu = process.cpuUsage();
setInterval(() => {
  const used = process.cpuUsage(cpu);
  cpu = process.cpuUsage();
  const ownMs = (used.user + used.system) / 1_000;
  process.send?.({ held_ms: Math.min(delay.max / 1e6, ownMs), during: worst.during });
  delay.reset();
  worst = { ms: 0, during: [] };
}, everyMs).unref();
