// A worker of no-ops in a process of its own: `crash-worker.ts URL NAME [MS]`. It has a watchdog that waits no longer than
// MS for a worker that says nothing, and says how many children it has ended.
import { tunables } from "@/server/kernel/tunables";
import { wireKernel } from "@/server/wire";
import { watch } from "@/server/worker/watchdog";
import { startNoopWorker } from "./noop-worker";

const [, , url = "", name = "", ms = "60000"] = process.argv;
const patience = { leaseMs: Number(ms), startMs: Number(ms), watchdogMs: 100 };
const kernel = wireKernel({
  url,
  name,
  tunables: { ...tunables, ...patience },
  probe: (point) => {
    if (point === "before-end") process.send?.("ending");
  },
});
process.on("disconnect", () => process.exit(0));
await startNoopWorker(kernel, name);
await watch(kernel, new AbortController().signal);
