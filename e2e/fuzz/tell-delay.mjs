// Loaded into the web server before anything else: tells its parent, twice a second, how long the event loop was held. A
// machine with other work to do holds it as well; of that, only what this process itself computed meanwhile counts.
import { monitorEventLoopDelay } from "node:perf_hooks";

const everyMs = 500;
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
let cpu = process.cpuUsage();
setInterval(() => {
  const used = process.cpuUsage(cpu);
  cpu = process.cpuUsage();
  const ownMs = (used.user + used.system) / 1_000;
  process.send?.({ held_ms: Math.min(delay.max / 1e6, ownMs) });
  delay.reset();
}, everyMs).unref();
