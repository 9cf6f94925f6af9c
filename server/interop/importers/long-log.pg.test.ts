// A log of two thousand messages: each turn's context repeats what came before it, so its chunks are copied inside the database.
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveRest } from "@/server/interop/rest/serve";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "p1");
});
afterAll(() => kernel.close());

test("a log of 2,000 messages is imported whole, with boxes of 64 chunks and more", async () => {
  const history = Array.from({ length: 2_000 }, (_, at) => ({
    content: `Message ${at}`,
    role: "assistant",
    name: at % 2 === 0 ? "Left" : "Right",
  }));
  const request = new Request("http://127.0.0.1:4600/api/v1/projects/p1/imports?format=who-and-when", {
    method: "POST",
    headers: { "content-type": "application/json", host: "127.0.0.1:4600" },
    body: JSON.stringify({ question: "How long?", history, is_correct: false, question_ID: "long" }),
  });
  const response = await serveRest(kernel, request, "/projects/p1/imports");
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ turns: 2_001, skipped: 0, is_replay: false });
  const { rows } = await kernel.db.pool.query<{ length: number; cards: number }>(
    `SELECT b.length, (SELECT sum(cardinality(k.card_ids))::int FROM card_box_chunks k
       WHERE k.tenant_id = b.tenant_id AND k.box_id = b.box_id) AS cards
     FROM card_boxes b WHERE b.tenant_id = 'p1' ORDER BY b.length DESC LIMIT 1`,
  );
  expect(rows[0]?.length).toBeGreaterThan(640);
  expect(rows[0]?.cards).toBe(rows[0]?.length);
}, 60_000);
