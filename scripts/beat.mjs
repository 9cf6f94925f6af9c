// Tells the supervisor every second that this process's event loop turns; see pulse.ts. Its own children inherit this import
// and have no supervisor.
import inspector from "node:inspector";

if (process.send && process.ppid === Number(process.env.SWITCHYARD_SUPERVISOR)) {
  const beat = () => {
    if (!process.connected) return;
    // A supervisor that is gone is noticed by leave-with-parent.mjs.
    process.send({ beat: true, is_inspected: inspector.url() !== undefined }, () => undefined);
  };
  setInterval(beat, 1_000).unref();
}
