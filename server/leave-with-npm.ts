// npm does not pass on a SIGTERM: whoever stops `npm start` or `npm run worker` by its pid would leave everything running
// behind it.
import { variable } from "@/server/env";

const lookMs = 500;

export function leaveWithNpm(stop: () => void): void {
  if (variable("npm_lifecycle_event") === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, lookMs);
  watch.unref();
}
