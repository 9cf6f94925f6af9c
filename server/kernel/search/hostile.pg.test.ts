// What a stranger may type: it is answered or refused, and never shows another project's rows.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { seedSearch } from "@/server/testing/search-rows";

let kernel: TestKernel;
const { send } = restOf(() => kernel);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedSearch(kernel.db.pool, "p1", "a");
  await seedSearch(kernel.db.pool, "p2", "z");
});
afterAll(() => kernel.close());

const hostile = [
  "'",
  "a'b",
  "'; drop table cards; --",
  "%",
  "_",
  "100%",
  "a%' OR '1'='1",
  "\\",
  "a\\'b*",
  "a&b|c!d:*",
  "<->",
  "a <-> b",
  '"a\' & b"',
  "(((",
  ")",
  "-",
  '"',
  "tokens:99999999999999999999",
  "tokens:[1 TO",
  "before:9999-12-31",
  "after:0001-01-01",
  "before:99999999w",
  "run:99999999999999",
  "saw:'x'",
  'author:"\'; select 1"',
  "author:%*",
  "error:_*",
  "ßßß ﷽ 漢字 𝒳𝒴 e\u0301",
  "漢".repeat(256),
  "\ufffdx",
  "x\0y",
  "x ".repeat(64),
  Array.from({ length: 64 }, (_, i) => `w${i}`).join(" OR "),
  Array.from({ length: 32 }, (_, i) => `"p${i} q"`).join(" "),
  `${"(".repeat(16)}x${")".repeat(16)}`,
  "x ".repeat(65),
  "x".repeat(2_000),
  "z_c1",
  "z_t2 OR z_ctx2",
  "in:z_ctx2,z_t2",
  "under:z_t1 OR above:z_t3 OR held:z_c4",
  "-a_c1",
];

test.each(hostile)("never fails and never crosses: %s", async (q) => {
  for (const kind of ["", "&kind=card&facets=true", "&kind=turn&facets=true", "&kind=box"]) {
    const { status, json } = await send("GET", `/projects/p1/search?q=${encodeURIComponent(q)}${kind}`);
    expect([200, 400], JSON.stringify(json)).toContain(status);
    if (status === 200) expect(JSON.stringify(json.groups)).not.toMatch(/"z_/);
  }
});
