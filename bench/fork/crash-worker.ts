// A worker of no-ops in its own process: `crash-worker.ts URL NAME [KILLED_AT]`. It kills itself with -9 while it ends
// group number KILLED_AT of its children, sixteen each, before the commit. Its watchdog waits one second for silent workers.
import { tunables } from "@/server/kernel/tunables";
import { wireKernel } from "@/server/wire";
import { watch } from "@/server/worker/watchdog";
import { startNoopWorker } from "./noop-worker";

const [, , url = "", name = "", killedAt = "0"] = process.argv;
const patience = { leaseMs: 1_000, startMs: 1_000, watchdogMs: 100 };
let groups = 0;
const kernel = wireKernel({
  url,
  name,
  tunables: { ...tunables, ...patience, claimLimit: 16 },
  probe: (point) => {
    if (point === "before-end" && ++groups === Number(killedAt)) process.kill(process.pid, "SIGKILL");
  },
});
process.on("disconnect", () => process.exit(0));
await startNoopWorker(kernel, name);
await watch(kernel, new AbortController().signal);
