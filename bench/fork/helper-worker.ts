// A second worker of no-ops in its own process: `helper-worker.ts URL NAME`. It takes children; their parents are the first one's.
import { wireKernel } from "@/server/wire";
import { watch } from "@/server/worker/watchdog";
import { CHILD, startNoopWorker } from "./noop-worker";

const [, , url = "", name = ""] = process.argv;
const kernel = wireKernel({ url, name });
process.on("disconnect", () => process.exit(0));
await startNoopWorker(kernel, name, [CHILD]);
process.send?.("ready");
await watch(kernel, new AbortController().signal);
