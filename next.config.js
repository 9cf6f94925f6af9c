/** @type {import('next').NextConfig} */
const config = {
  output: "standalone",
  reactStrictMode: true,
  poweredByHeader: false,
  // At its usual place it covers the foot of the rail.
  devIndicators: { position: "bottom-right" },
  // Bundled, these lose what they load at run time (pg its optional driver, pino its worker thread, Prisma its adapter) or
  // cost the build more than everything else together (the tokenizer its table).
  serverExternalPackages: [
    "pg",
    "pino",
    "@prisma/client",
    "@prisma/adapter-pg",
    "gpt-tokenizer",
    "undici",
    "@nats-io/transport-node",
    "@nats-io/jetstream",
    "@secretlint/secretlint-rule-preset-recommend",
    // Loaded by a thread of its own too, which is no part of any bundle.
    "yaml",
    "isomorphic-git",
    "tar-stream",
    // Loaded by a process of its own; one is native, one has a WASM file.
    "oxc-parser",
    "web-tree-sitter",
    "@vscode/tree-sitter-wasm",
  ],
  // Guessed, these become the folder of any lock file above the clone, and the standalone build moves with them.
  outputFileTracingRoot: import.meta.dirname,
  // Read at run time from where the product runs, so no import tells of them.
  outputFileTracingIncludes: {
    "/api/demo": ["./server/interop/demo/profiles/*.yaml", "./server/interop/demo/plans/*.yaml"],
    "/api/*": [
      "./server/kernel/roster/yaml-reader.mjs",
      "./server/interop/importers/file-reader.mjs",
      "./server/interop/importers/json-fault.mjs",
      "./server/kernel/workspaces/sources/pack-reader.mjs",
      "./server/kernel/workspaces/imports/import-reader.mjs",
      // What it loads: only that file names them, and it is copied without being read.
      "./node_modules/oxc-parser/{package.json,src-js/**/*}",
      "./node_modules/@oxc-parser/binding-*/**/*",
      "./node_modules/@oxc-project/types/package.json",
      "./node_modules/web-tree-sitter/{package.json,web-tree-sitter.js,web-tree-sitter.cjs,web-tree-sitter.wasm}",
      "./node_modules/@vscode/tree-sitter-wasm/package.json",
      "./node_modules/@vscode/tree-sitter-wasm/wasm/tree-sitter-{python,go}.wasm",
    ],
  },
  turbopack: { root: import.meta.dirname },
  // `npm run types` does it; a newcomer's first start should not wait for it again.
  typescript: { ignoreBuildErrors: true },
};

export default config;
