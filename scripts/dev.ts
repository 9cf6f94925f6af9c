// `npm run dev`: the same product with the web app compiled on request and a worker that restarts when its code changes.
import { env } from "@/server/env";
import { workerPart } from "./parts";
import { runProduct } from "./product";

const next = ["node_modules/next/dist/bin/next", "dev"];
const watch = ["node_modules/tsx/dist/cli.mjs", "watch", "--clear-screen=false"];

await runProduct(
  () => [
    { name: "web", args: [...next, "--hostname", env().HOST, "--port", String(env().PORT)], graceMs: 5_000 },
    workerPart(watch),
  ],
  async () => undefined,
);
