// The statements of a search follow from what was typed, so no reading of the sources finds them whole: here every field of
// every kind is written, and each statement is judged as those in the sources are.
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  fieldNames,
  fields,
  flagKinds,
  flags,
  type QueryKind,
  queryKinds,
} from "@/server/contract/search-query/fields";
import { openTestKernel, type TestKernel } from "@/server/testing/kernel";
import { seedSearch } from "@/server/testing/search-rows";
import { faultsOf, type ScopedTables } from "@/server/testing/sql-scope";
import { starsOf } from "@/server/testing/sql-stars";
import type { Kernel } from "../kernel";
import { search } from "./search";

let kernel: TestKernel;
let tables: ScopedTables;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedSearch(kernel.db.pool, "p1", "a");
  const { rows } = await kernel.db.pool.query<{ name: string; column: string }>(
    `SELECT table_schema || '.' || table_name AS name, column_name AS column FROM information_schema.columns
     WHERE table_schema IN ('public', 'resource', 'state') AND column_name IN ('project_id', 'tenant_id')`,
  );
  tables = new Map(rows.map(({ name, column }) => [name, column]));
});
afterAll(() => kernel.close());

/** The texts of the statements that a search runs. */
async function textsOf(q: string, kind: QueryKind): Promise<string[]> {
  const texts: string[] = [];
  const pool = Object.create(kernel.db.pool) as typeof kernel.db.pool;
  pool.connect = (async () => {
    const client = await kernel.db.pool.connect();
    const hearing = Object.create(client) as typeof client;
    hearing.query = ((...args: unknown[]) => {
      const [query] = args;
      if (query !== null && typeof query === "object" && "text" in query) texts.push(String(query.text));
      return (client.query as (...all: unknown[]) => unknown).apply(client, args);
    }) as typeof client.query;
    return hearing;
  }) as unknown as typeof pool.connect;
  const hearing: Kernel = { ...kernel, db: { ...kernel.db, pool } };
  const facets = kind === "card" || kind === "turn";
  await search(hearing, { project_id: "p1", q, kind, limit: 5, facets });
  return texts.filter((text) => !/FROM "public"/.test(text));
}

const valueFor = { number: ">1", duration: ">1s", time: "2h", id: "a_t2", name: "a*", one_of: "" } as const;
const termsOf = (kind: QueryKind): string[] => [
  ...fieldNames
    .filter((name) => name !== "kind" && fields[name].on.includes(kind))
    .map((name) => {
      const spec = fields[name];
      return `${name}:${spec.as === "one_of" ? spec.names[0] : valueFor[spec.as]}`;
    }),
  ...fieldNames
    .filter((name) => fields[name].isOptional && fields[name].on.includes(kind))
    .map((name) => `has:${name}`),
  ...flags.filter((flag) => flagKinds[flag].includes(kind)).map((flag) => `is:${flag}`),
  "word",
  "pre*",
  '"a phrase"',
];

test.each(queryKinds)("every statement stays within its project and names its columns: %s", async (kind) => {
  const terms = termsOf(kind);
  const found: string[] = [];
  let judged = 0;
  for (const q of [...terms, terms.join(" "), terms.map((term) => `-${term}`).join(" OR ")]) {
    for (const text of await textsOf(q, kind)) {
      judged++;
      const faults = [...(await faultsOf(text, tables)), ...(await starsOf(text))];
      found.push(...faults.map((fault) => `${q}: ${fault}`));
    }
  }
  expect(judged).toBeGreaterThan(terms.length);
  expect([...new Set(found)]).toEqual([]);
});
