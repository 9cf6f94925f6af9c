// What a profile needs and the project lacks is a warning at the upload and at each read, until it is added.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";

const P = "warned";
let kernel: TestKernel;
const { ok } = restOf(() => kernel);

beforeAll(async () => {
  kernel = await openTestKernel();
});
afterAll(() => kernel.close());

test("warnings come with the upload and go when the tool is added", async () => {
  await ok("POST", "/projects", { project_id: P, title: "Warned" });
  const profile = {
    name: "Solo",
    llm_config: { model: "openai/gpt-5-mini" },
    allowed_tools: ["weigh"],
    must_end_with: ["submit_result"],
  };
  const lacks = [
    expect.stringMatching(/^allowed_tools: weigh is not a tool/),
    expect.stringMatching(/^must_end_with: .*submit_result.*allowed_internal_tools/),
  ];
  expect((await ok("POST", `/projects/${P}/profiles`, profile)).warnings).toEqual(lacks);
  expect((await ok("GET", `/projects/${P}/profiles/Solo`)).warnings).toEqual(lacks);
  await ok("POST", `/projects/${P}/tools`, { tool_name: "weigh" });
  expect((await ok("GET", `/projects/${P}/profiles/Solo`)).warnings).toEqual([lacks[1]]);
  const mended = { ...profile, allowed_internal_tools: ["submit_result"] };
  expect((await ok("POST", `/projects/${P}/profiles`, mended)).warnings).toEqual([]);
});
