// Bounds on work are bounds on processor time: a busy machine must not fail a test.

/** Milliseconds of this process's processor time. */
export function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
