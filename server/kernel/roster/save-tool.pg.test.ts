// What a tool may be registered as: a subject that the bus would refuse at every ring is refused here, once.
import { afterAll, beforeAll, expect, test } from "vitest";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { listTools } from "./list-tools";
import { saveTool } from "./save-tool";

const P = "tools_p1";
let kernel: TestKernel;

beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Boss" }]);
});
afterAll(() => kernel.close());

const save = (target_subject: string) =>
  saveTool(kernel, { project_id: P, tool: { tool_name: "word_count", target_subject } });

test.each([
  "cg.v1r4.someone_else.public.cmd.tool.word_count",
  "cg.v1r4.{project}.{channel}.cmd.sys.pmo",
  "cg.v1r4.{project}.{channel}.evt.agent.a.task",
  "cg.v1r4.{project}.*.cmd.tool.word_count",
  "cmd.agent.boss.wakeup",
  "word_count",
  "",
])("121 a tool with the subject %j is refused, and nothing is written", async (target_subject) => {
  const before = await countRows(kernel);
  await expect(save(target_subject)).rejects.toMatchObject({
    code: "bad_request",
    message: expect.stringMatching(/^target_subject .*write cmd\.tool\.word_count/),
  });
  expect(await countRows(kernel)).toEqual(before);
});

test.each([
  "cmd.tool.word_count",
  "cg.v1r4.{project}.{channel}.cmd.tool.text.count",
  `cg.v1r4.${P}.public.cmd.tool.word_count`,
  `cg.v1r4.${P}.a_channel_of_its_own.cmd.tool.word_count`,
])("a tool with the subject %j is registered as it was written", async (target_subject) => {
  expect(await save(target_subject)).toMatchObject({ target_subject });
  expect(await listTools(kernel, P)).toMatchObject([{ tool_name: "word_count", target_subject }]);
});

test("the address of a service is registered as it was written, with secrets by reference", async () => {
  const target_subject = "https://tools.example.org/weigh?unit=t";
  const options = { headers: { authorization: "Bearer $" + "{env:WEIGH_KEY}" }, timeout_seconds: 5 };
  const tool = { tool_name: "weigh", target_subject, options };
  expect(await saveTool(kernel, { project_id: P, tool })).toMatchObject(tool);
});

test.each([
  ["another protocol", { target_subject: "file:///etc/passwd" }, /^target_subject is not the URL/],
  ["a password in the address", { target_subject: "https://u:hunter2@h/x" }, /^target_subject is not the URL/],
  [
    "a key in plain text",
    { target_subject: "https://h/x", options: { headers: { "x-api-key": "hunter2" } } },
    /env:NAME/,
  ],
  ["an address in the options", { options: { url: "https://h/x" } }, /^options\.url/],
  [
    "headers for a subject",
    { target_subject: "cmd.tool.weigh", options: { headers: { a: "b" } } },
    /^options\.headers/,
  ],
])("a tool with %s is refused, and nothing is written or repeated", async (_what, tool, message) => {
  const before = await countRows(kernel);
  const refused = await saveTool(kernel, { project_id: P, tool: { tool_name: "weigh", ...tool } }).catch(
    (e: Error) => e,
  );
  expect(refused).toMatchObject({ code: "bad_request", message: expect.stringMatching(message) });
  expect((refused as Error).message).not.toContain("hunter2");
  expect(await countRows(kernel)).toEqual(before);
});
