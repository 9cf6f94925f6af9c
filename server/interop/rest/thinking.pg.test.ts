// A model's text over REST: requested while somebody listens, and not after they have left.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMemoryDoorbell } from "@/server/doorbell/memory-doorbell";
import type { ThinkingRing } from "@/server/kernel/kernel";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { restOf } from "@/server/testing/rest";
import { type RestServer, serveRestOnPort } from "@/server/testing/rest-server";
import { launchTurn, scripted } from "@/server/testing/turns";

const P = "aloud";
const doorbell = createMemoryDoorbell();
let kernel: TestKernel;
let server: RestServer;
const { refused } = restOf(() => kernel);

beforeAll(async () => {
  kernel = await openTestKernel({ doorbell });
  server = await serveRestOnPort(kernel);
  await seedProject(kernel, P, [scripted("Solo", [{ deliver: "x" }], { worker_target: "nobody" })]);
});
afterAll(async () => {
  await server.close();
  await kernel.close();
});

const watches = () => doorbell.rung.filter((ring) => ring.kind === "watch");

test("a listener is sent every piece as it comes, and is not told twice what was sent again for another", async () => {
  const { agent_turn_id } = await launchTurn(kernel, P, { target: "Solo" });
  const leaving = new AbortController();
  const path = `/api/v1/projects/${P}/turns/${agent_turn_id}/thinking`;
  const response = await fetch(`${server.url}${path}`, { signal: leaving.signal });
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  await expect.poll(watches).toEqual([{ kind: "watch", project_id: P, agent_turn_id, wants_all: true }]);
  let seq = 0;
  const say = (offset: number, text: string, of = agent_turn_id): Promise<void> => {
    const piece = { turn_epoch: 1, step_id: "s", round: 0, part: "text", is_over: false } as const;
    const ring: ThinkingRing = {
      kind: "thinking",
      project_id: P,
      agent_turn_id: of,
      seq: seq++,
      ...piece,
      offset,
      text,
    };
    return doorbell.ring([ring]);
  };
  await say(0, "one ");
  await say(0, "somebody else", "turn_other");
  await say(0, "one ");
  await say(4, "two");
  let text = "";
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  while (!text.includes('"two"')) text += (await reader?.read())?.value ?? "";
  const said = [...text.matchAll(/^event: thinking\ndata: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ""));
  expect(said).toMatchObject([
    { agent_turn_id, step_id: "s", part: "text", offset: 0, text: "one " },
    { offset: 4, text: "two" },
  ]);
  expect(text).not.toContain("id:");
  leaving.abort();
});

test("a turn that does not exist is refused", async () => {
  expect(await refused("GET", `/projects/${P}/turns/turn_nope/thinking`)).toMatchObject({ status: 404 });
});
