// Unusable input is refused as the caller's fault, with the field and the remedy, and no row changes.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";

let kernel: TestKernel;
const { refused, get } = restOf(() => kernel);
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "walls");
});
afterAll(() => kernel.close());

const at = "/projects/walls";
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));

describe("REST", () => {
  test.each([
    ["GET", `${at}/agents?q=a%00b`, {}, 400, /query.* NUL/],
    ["GET", `${at}/state/execution/edges?agent_turn_id=%00`, {}, 400, /query.* NUL/],
    ["GET", `${at}/cards?constructor=1`, {}, 400, /query.constructor/],
    ["GET", `${at}/cards?__proto__=1`, {}, 400, /query.__proto__/],
    [
      "POST",
      `${at}/cards`,
      { raw: '{"cards":[{"type":"t","content":{"kind":"json","data":{"a":{"__proto__":1}}}}]}' },
      400,
      /^body.cards.0.content.data.a.__proto__: the name is not allowed/,
    ],
    ["GET", `${at}/turns/none/messages?step=1000000000000`, {}, 400, /query.step/],
    ["GET", `${at}/cards?limit=99999999999`, {}, 400, /query.limit/],
    ["GET", `${at}/cards?limit=0x10`, {}, 400, /^query.limit: expected a whole number in decimal digits/],
    ["GET", `${at}/runs/none/flow/cards?start=0x10`, {}, 400, /^query.start: expected a whole number/],
    ["POST", `${at}/cards`, { raw: "null" }, 422, /^body: expected an object/],
    ["DELETE", `${at}/runs/none`, { raw: "null" }, 422, /^body: expected an object/],
    ["POST", `${at}/runs/none:rerun`, { raw: " null " }, 422, /^body: expected an object/],
    [
      "POST",
      `/projects/${"p".repeat(3_000)}/cards`,
      { body: { cards: [{ type: "t", content: "x" }] }, headers: { "idempotency-key": "k" } },
      404,
      /not found/,
    ],
    ["POST", "/projects", { body: { title: "a\u0000b" } }, 400, /NUL/],
    [
      "POST",
      `${at}/cards`,
      { body: { cards: [{ type: "t", content: { kind: "json", data: keys(60_000) } }] } },
      413,
      /50000 values/,
    ],
    ["POST", `${at}/profiles`, { body: { name: "A", ...keys(250_000) } }, 413, /1048576 bytes|20000 values/],
    [
      "POST",
      `${at}/profiles`,
      { raw: `name: A\n${Array.from({ length: 60_000 }, (_, i) => `k${i}: 1`).join("\n")}`, type: "text/yaml" },
      400,
      /words and signs/,
    ],
    ["POST", `${at}/tools`, { raw: "a: &a [*a]", type: "text/yaml" }, 400, /nested deeper/],
    ["POST", `${at}/imports`, { raw: "[".repeat(5_000) }, 400, /nested deeper/],
    ["POST", `${at}/cards`, { raw: '{"cards": "Unterminated' }, 400, /not JSON/],
  ] as [string, string, object, number, RegExp][])("%s %.60s", async (method, path, options, status, message) => {
    const refusal = await refused(method, path, options);
    expect([refusal.status, refusal.error_message]).toEqual([status, expect.stringMatching(message)]);
  });
});

test("after all of that the server answers as before", async () => {
  expect((await get(`${at}/cards`)).json).toEqual({ items: [] });
});
