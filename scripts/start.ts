// `npm start`: everything a newcomer needs, from a fresh clone to a running yard.
import { buildIfStale } from "./build";
import { runProduct, workerGraceMs } from "./product";

await runProduct(
  [
    {
      name: "web",
      args: ["--import", "./scripts/closed-without-walls.mjs", ".next/standalone/server.js"],
      graceMs: 5_000,
      alivePath: "/livez",
    },
    { name: "worker", args: ["--import", "tsx", "server/worker/main.ts"], graceMs: workerGraceMs() },
  ],
  buildIfStale,
);
