// `npm run dev`: the same product with the web app compiled on request and a worker that restarts when its code changes.
import { env } from "@/server/env";
import { runProduct, workerGraceMs } from "./product";

const next = ["node_modules/next/dist/bin/next", "dev"];
const watch = ["node_modules/tsx/dist/cli.mjs", "watch", "--clear-screen=false"];

await runProduct(
  [
    { name: "web", args: [...next, "--hostname", env().HOST, "--port", String(env().PORT)], graceMs: 5_000 },
    { name: "worker", args: [...watch, "server/worker/main.ts"], graceMs: workerGraceMs() },
  ],
  async () => undefined,
);
