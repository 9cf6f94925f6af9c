// `npm run web`: the web server alone, for a deployment whose workers run elsewhere. Migrates first, as every process does.
import { buildIfStale } from "./build";
import { runProduct } from "./product";

await runProduct(
  [
    {
      name: "web",
      args: ["--import", "./scripts/closed-without-walls.mjs", ".next/standalone/server.js"],
      graceMs: 5_000,
      alivePath: "/livez",
    },
  ],
  buildIfStale,
);
