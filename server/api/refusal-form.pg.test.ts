// Refusals over tRPC have the same words as over REST, whichever check refuses.
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { appRouter } from "./root";
import { answerMeta } from "./trpc";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "walls");
});
afterAll(() => kernel.close());

describe("tRPC answers in the form of REST", () => {
  async function call(path: string, input: unknown, method = "POST") {
    const isQuery = method === "GET";
    const before = await countRows(kernel);
    const url = `http://127.0.0.1/api/trpc/${path}${isQuery ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ""}`;
    const response = await fetchRequestHandler({
      endpoint: "/api/trpc",
      req: new Request(url, {
        method,
        headers: { "content-type": "application/json" },
        ...(!isQuery && { body: typeof input === "string" ? input : JSON.stringify(input) }),
      }),
      router: appRouter,
      createContext: () => ({ kernel, user: "local" }),
    });
    expect(await countRows(kernel)).toEqual(before);
    const { error } = (await response.json()) as { error: { message: string; data: Record<string, unknown> } };
    expect(error.message).toBe(error.data.error_message);
    return { status: response.status, ...error.data };
  }

  test.each([
    ["a field that is missing", "project.create", {}, 422, "invalid_shape"],
    ["a NUL", "project.create", { title: "a\u0000b" }, 400, "bad_request"],
    ["JSON that breaks off", "project.create", '{"title": "Unterminated', 400, "bad_request"],
    ["a procedure that is not there", "nothing.here", {}, 404, "not_found"],
    ["a prototype's name", "constructor", {}, 404, "not_found"],
  ])("%s", async (_what, path, input, status, error_code) => {
    expect(await call(path, input)).toMatchObject({ status, httpStatus: status, error_code });
  });

  test("the field that is wrong is named, and what is not there is not there", async () => {
    const wrong = await call("card.list", { project_id: "walls", limit: 2 ** 40 }, "GET");
    expect(wrong).toMatchObject({ error_code: "invalid_shape", detail: { path: "input.limit" } });
    expect(await call("card.get", { project_id: "walls", card_id: "none" }, "GET")).toMatchObject({
      status: 404,
      error_code: "not_found",
    });
  });
});

test("a full queue is 429 with the number and when to ask again, over tRPC and REST", async () => {
  await seedProject(kernel, "full", [{ name: "Plain" }]);
  const own = { ...kernel, tunables: { ...kernel.tunables, queuedMax: 1 } };
  const args = { target_strategy: "new", target_ref: "Plain", instruction: "x" };
  const rpc = () =>
    fetchRequestHandler({
      endpoint: "/api/trpc",
      req: new Request("http://127.0.0.1/api/trpc/delegation.launch", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ project_id: "full", tool: "delegate_async", args }),
      }),
      router: appRouter,
      responseMeta: answerMeta,
      createContext: () => ({ kernel: own, user: "local" }),
    });
  const first = await rpc();
  expect([first.status, first.headers.get("retry-after")]).toEqual([200, null]);
  const before = await countRows(kernel);
  const second = await rpc();
  expect([second.status, second.headers.get("retry-after")]).toEqual([429, "5"]);
  const refusal = { error_code: "queue_full", detail: { max_queued: 1, asked: 1 } };
  expect((await second.json()).error.data).toMatchObject({ httpStatus: 429, ...refusal });
  const rest = await restOf(() => own).post("/projects/full/pmo/delegate_async:call", { args });
  expect([rest.status, rest.headers.get("retry-after")]).toEqual([429, "5"]);
  expect(rest.json.detail).toMatchObject(refusal);
  expect(await countRows(kernel)).toEqual(before);
});
