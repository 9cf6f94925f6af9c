// Every worker runs a watchdog; the kernel makes sure that two never act twice.
import type { Kernel } from "@/server/kernel/kernel";
import { watchOnce } from "@/server/kernel/reclaim/watch-turns";
import { log } from "@/server/log";
import { isAway, pause } from "./until-written";

/** Until the signal is aborted. */
export async function watch(kernel: Kernel, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { acted, failed } = await watchOnce(kernel);
    const { "take-over": taken, "requeue-unstarted": requeued } = acted;
    if (taken || requeued) log().info({ taken_over: taken, requeued }, "the watchdog acted");
    for (const { rule, error } of failed)
      if (isAway(error)) log().debug({ rule }, "the watchdog cannot reach the database");
      else log().error({ rule, err: error }, "a watchdog rule failed");
    await pause(kernel.tunables.watchdogMs, signal);
  }
}
