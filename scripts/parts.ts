// The processes that the product consists of, as they are started by whatever keeps them.
import { env } from "@/server/env";

/** `alivePath` = where it is asked whether it still answers. */
export type Part = { name: string; args: string[]; graceMs: number; alivePath?: string };

/**
 * By default V8 lets the heap grow to several times what lives in it before it sweeps: readers that never read and slow
 * writers grew the server by 226 MB, of which 115 are what it may hold for them. Swept at a quarter more, it grew by 153.
 */
const sweepSooner = "--heap-growing-percent=25";

/** It answers on for a while, and then ends what is asked of it. */
export const webPart = (): Part => ({
  name: "web",
  args: [sweepSooner, "--import", "./scripts/closed-without-walls.mjs", ".next/standalone/server.js"],
  graceMs: env().SWITCHYARD_WEB_DRAIN_S * 1_000 + 5_000,
  alivePath: "/livez",
});

/** What a worker may take to end its steps, and to hand on the rest. `run` = how node runs it. */
export const workerPart = (run = ["--import", "tsx"]): Part => ({
  name: "worker",
  args: [...run, "server/worker/main.ts"],
  graceMs: env().SWITCHYARD_DRAIN_S * 1_000 + 5_000,
});
