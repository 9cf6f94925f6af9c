// `pure` and `unit` need nothing; `pg` and `pg-alone` start a throw-away Postgres once and give each file a database of its own.
// `npm run unit` runs the first two, `npm run test:pg` the others.
import { defineConfig } from "vitest/config";

const root = import.meta.dirname;
const unset = [
  "SWITCHYARD_TOKEN",
  "SWITCHYARD_ORIGINS",
  "SWITCHYARD_TRUSTED_PROXIES",
  ...Object.keys(process.env).filter((name) => name.endsWith("_API_KEY")),
];
// They import neither settings nor the server (see .dependency-cruiser.cjs), and change nothing that outlives a test.
const pure = [
  "components/**/*.test.{ts,tsx}",
  "server/contract/**/*.test.ts",
  // Its workspaces read archives: streams and compression, of which each Node has its own.
  "server/kernel/!(workspaces)/**/*.test.ts",
];
const ignored = ["**/node_modules/**", ".next/**", ".switchyard/**", "e2e/**"];
/**
 * They are handed all they need: neither the environment, which is read once, nor processes. Files that share what is loaded
 * take half the time. One that changes the environment belongs elsewhere, or the next would read its own.
 */
const shared = ["server/kernel/", "server/interop/rest/", "server/interop/importers/", "server/interop/demo/"];
const sharedTests = shared.map((room) => `${room}**/*.pg.test.ts`);
// A list of files, of scripts/test-node24.ts, which runs some of them and all unit tests.
const listed = process.env.PG_TESTS?.split(",");
/** Of both projects with a database. */
const pg = {
  globalSetup: ["server/testing/global-setup.ts"],
  setupFiles: ["server/testing/setup.ts"],
  testTimeout: 30_000,
  // Dozens of databases on one server and two processors: what a neighbour did is told apart from a fault by a
  // second try, and scripts/test.ts names what needed one.
  retry: process.env.CI ? 1 : 0,
  hookTimeout: 60_000,
};

export default defineConfig({
  oxc: { jsx: { runtime: "automatic" } },
  resolve: {
    alias: [
      { find: /^@\//, replacement: `${root}/` },
      // Outside Next this package throws on import, by design.
      { find: "server-only", replacement: `${root}/node_modules/server-only/empty.js` },
    ],
  },
  test: {
    // A developer's own token would lock the tests out of what they start, and their keys would be spent by tests whose
    // profiles name a provider.
    env: {
      SWITCHYARD_LOG: process.env.SWITCHYARD_LOG ?? "silent",
      ...Object.fromEntries(unset.map((name) => [name, ""])),
    },
    // Each worker of `pg` is a handful of Postgres sessions; more of them only fight for the processor.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: "pure",
          include: pure,
          exclude: [...ignored, "**/*.pg.test.ts"],
          setupFiles: ["server/testing/setup.ts"],
          // Loading the same modules again for each file took two fifths of the time.
          isolate: false,
          testTimeout: 10_000,
        },
      },
      {
        extends: true,
        test: {
          name: "unit",
          include: ["**/*.test.{ts,tsx}"],
          exclude: [...ignored, ...pure, "**/*.pg.test.ts"],
          setupFiles: ["server/testing/setup.ts"],
          testTimeout: 10_000,
        },
      },
      {
        extends: true,
        test: {
          ...pg,
          name: "pg",
          include: listed?.filter((file) => shared.some((room) => file.startsWith(room))) ?? sharedTests,
          exclude: ignored,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...pg,
          name: "pg-alone",
          include: listed ?? ["**/*.pg.test.ts"],
          exclude: [...ignored, ...sharedTests],
        },
      },
    ],
  },
});
