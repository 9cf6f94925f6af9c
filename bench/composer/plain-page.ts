// Serves the plain React Flow page on a port of its own.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "vite";
import type { BenchPlan } from "./big-plan";

export async function servePlain(plan: BenchPlan): Promise<{ url: string; stop: () => Promise<void> }> {
  const built = await build({
    configFile: false,
    logLevel: "silent",
    build: { write: false, rollupOptions: { input: "bench/composer/plain.tsx" } },
  });
  const [made] = Array.isArray(built) ? built : [built];
  const files = made && "output" in made ? made.output : [];
  const chunk = files.find((file) => file.type === "chunk");
  const code = chunk?.type === "chunk" ? chunk.code : "";
  const style = files.find((file) => file.type === "asset" && file.fileName.endsWith(".css"));
  const css = style?.type === "asset" ? String(style.source) : "";
  const html = `<!doctype html><meta charset="utf-8"><style>body{margin:0}${css}</style>
<div id="root"></div><script>graph = ${JSON.stringify(graphOf(plan))}</script><script type="module" src="/app.js"></script>`;
  const server = createServer((request, response) => {
    const isCode = request.url === "/app.js";
    response.setHeader("content-type", isCode ? "text/javascript" : "text/html");
    response.end(isCode ? code : html);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: () => new Promise((done) => server.close(() => done())),
  };
}

/** The same places, on a grid as wide as the composer's. */
function graphOf({ nodes }: BenchPlan) {
  return {
    nodes: nodes.map(({ id, title }, i) => ({
      id,
      position: { x: Math.floor(i / 20) * 328, y: (i % 20) * 82 },
      data: { label: title },
      style: { width: 244, height: 62 },
    })),
    edges: nodes.flatMap(({ id, load }) =>
      load.flatMap((entry) => ("from" in entry ? [{ id: `${entry.from}-${id}`, source: entry.from, target: id }] : [])),
    ),
  };
}
