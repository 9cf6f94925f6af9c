// How a process that supervises others is stopped: by a signal, by the end of npm above it, or by its own failure. Once is a
// request, twice is urgent.
import { leaveWithNpm } from "@/server/leave-with-npm";

// npm passes on the Ctrl-C that the terminal has already sent to everyone.
const echoMs = 1_000;

/** `stop` is called once, with the code to end with. Answers the way to stop by oneself. */
export function stopWhenAsked(stop: (code: number) => Promise<void>, hurry: () => void): typeof stop {
  let stopping: Promise<void> | undefined;
  let since = 0;
  const asked = (code: number): Promise<void> => {
    // A real second request is passed on: the user does not want to wait.
    if (stopping && Date.now() - since > echoMs) hurry();
    since ||= Date.now();
    stopping ??= stop(code);
    return stopping;
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void asked(0));
  leaveWithNpm(() => void asked(0));
  return asked;
}
