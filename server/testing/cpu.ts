// Limits on work are limits on processor time, so that a busy machine does not fail a test.

/** Milliseconds of this process's processor time. */
export function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
