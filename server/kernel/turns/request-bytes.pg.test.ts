// What the steps of a turn keep of their requests: each byte once, and each request whole again.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callersOf, type Running } from "@/server/testing/callers";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { eraseCard } from "../deletion/erase-card";
import { readStepRequest } from "../read-models/read-step-request";
import { appendOutput } from "./append-output";
import { type BegunStep, beginStep } from "./begin-step";
import { endStep } from "./end-step";
import { isFenced } from "./fenced";

let kernel: TestKernel;
const P = "proj_1";
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P, [{ name: "Plain" }]);
});
afterAll(() => kernel.close());
const { running } = callersOf(() => kernel, P);

type Message = { role: string; content: string };
const noise = (letters: number) => randomBytes(letters / 2).toString("hex");
const bytesOf = (messages: Message[], tools = ["look"]) =>
  Buffer.from(JSON.stringify({ model: "m", system: "You are ö.", messages, tools, max_tokens: 10 }));

async function step(
  turn: Running,
  bytes: Buffer,
  more: { card_ids?: string[]; system?: string } = {},
): Promise<BegunStep> {
  const { card_ids = [], system = "You are ö." } = more;
  const request = { card_ids, system, tools: [{ tool_name: "look" }], bytes, tokens: 1, tools_tokens: 1 };
  const begun = await beginStep(kernel, { ...turn, request });
  if (isFenced(begun)) throw new Error("fenced");
  await endStep(kernel, { ...turn, step_id: begun.step_id, cards: [] });
  return begun;
}

const textOf = async ({ agent_turn_id }: Running, ordinal: number) =>
  (await readStepRequest(kernel, { project_id: P, agent_turn_id, ordinal })).request_text;
const keptBy = async ({ agent_turn_id }: Running): Promise<{ kept: number; hops: number | null }[]> =>
  (
    await kernel.test.pool.query(
      `SELECT octet_length(request_bytes) AS kept, request_hops AS hops FROM state.agent_steps
       WHERE project_id = $1 AND agent_turn_id = $2 ORDER BY ordinal`,
      [P, agent_turn_id],
    )
  ).rows;

test("eight steps of a context of 400 kB keep what one of them weighs, and each is read as it was sent", async () => {
  const turn = await running("Plain");
  const messages: Message[] = Array.from({ length: 80 }, () => ({ role: "user", content: noise(4_800) }));
  const sent: Buffer[] = [];
  for (let n = 0; n < 8; n++) {
    messages.push({ role: n % 2 ? "user" : "assistant", content: `${n} ${noise(400)} é` });
    const bytes = bytesOf(messages);
    sent.push(bytes);
    await step(turn, bytes);
  }
  expect(sent[0]?.length).toBeGreaterThan(380_000);
  const kept = await keptBy(turn);
  expect(kept.reduce((sum, one) => sum + one.kept, 0)).toBeLessThan(450_000);
  expect(kept.map((one) => one.hops)).toEqual([null, 1, 2, 3, 4, 5, 6, 7]);
  for (const [i, bytes] of sent.entries()) expect(await textOf(turn, i + 1)).toBe(bytes.toString());
});

test("what has little in common is kept whole; changes in the middle, the same request again and a shorter one are not", async () => {
  const turn = await running("Plain");
  const messages = Array.from({ length: 20 }, () => ({ role: "user", content: noise(200) }));
  const other = messages.toSpliced(9, 2, { role: "user", content: "summary" });
  const sent = [
    bytesOf(messages),
    bytesOf(other),
    bytesOf(other),
    bytesOf(other.slice(0, 15)),
    Buffer.from(noise(900)),
    Buffer.from(""),
    Buffer.from("x"),
  ];
  for (const bytes of sent) await step(turn, bytes);
  const kept = await keptBy(turn);
  expect(kept.map((one) => one.kept)).toEqual([sent[0]?.length, expect.any(Number), 0, 0, 900, 0, 1]);
  expect(kept[1]?.kept).toBeLessThan(30);
  for (const [i, bytes] of sent.entries()) expect(await textOf(turn, i + 1)).toBe(bytes.toString());
});

test("a long turn keeps one whole in sixteen, so that none is read through hundreds of others", async () => {
  const turn = await running("Plain");
  const messages: Message[] = [{ role: "user", content: noise(2_000) }];
  for (let n = 0; n < 34; n++) {
    messages.push({ role: "user", content: `${n}` });
    await step(turn, bytesOf(messages));
  }
  const hops = (await keptBy(turn)).map((one) => one.hops ?? 0);
  expect(Math.max(...hops)).toBe(15);
  expect(hops.flatMap((hop, i) => (hop === 0 ? i : []))).toEqual([0, 16, 32]);
  expect(await textOf(turn, 34)).toBe(bytesOf(messages).toString());
});

test("erasing takes the requests that hold the card; a later one that does not hold it is whole without them", async () => {
  const turn = await running("Plain");
  const secret = await appendOutput(kernel, {
    ...turn,
    cards: [{ type: "agent.thought", content: "marzipan", author_id: "a" }],
  });
  if (isFenced(secret)) throw new Error("fenced");
  const common = Array.from({ length: 10 }, () => ({ role: "user", content: noise(400) }));
  const told = bytesOf([...common, { role: "user", content: "marzipan" }]);
  const after = bytesOf([...common, { role: "user", content: "forgotten" }]);
  await step(turn, told, { card_ids: secret.card_ids });
  await step(turn, told, { card_ids: secret.card_ids });
  await step(turn, after);
  expect((await keptBy(turn))[2]?.kept).toBeLessThan(20);
  await eraseCard(kernel, { project_id: P, card_id: secret.card_ids[0] ?? "", by: "human_ann", reason: "" });
  expect(await Promise.all([1, 2, 3].map((ordinal) => textOf(turn, ordinal)))).toEqual([
    undefined,
    undefined,
    after.toString(),
  ]);
  const { rows } = await kernel.test.pool.query(
    "SELECT 1 FROM state.agent_steps s WHERE s.project_id = $1 AND strpos(encode(s.request_bytes, 'escape'), 'marzipan') > 0",
    [P],
  );
  expect(rows).toEqual([]);
});

test("bytes that were changed by hand are refused and not shown", async () => {
  const turn = await running("Plain");
  await step(turn, bytesOf([{ role: "user", content: noise(200) }]));
  await step(turn, bytesOf([{ role: "user", content: noise(200) }]));
  await kernel.test.pool.query(
    "UPDATE state.agent_steps SET request_bytes = 'x' WHERE project_id = $1 AND agent_turn_id = $2 AND ordinal = 1",
    [P, turn.agent_turn_id],
  );
  await expect(textOf(turn, 1)).rejects.toMatchObject({ code: "internal_error" });
});

test("prompt and tools that have not changed are the same cards in the next request", async () => {
  const turn = await running("Plain");
  const cardsOf = async (ordinal: number) =>
    (await readStepRequest(kernel, { project_id: P, agent_turn_id: turn.agent_turn_id, ordinal })).cards;
  await step(turn, bytesOf([]));
  await step(turn, bytesOf([]));
  await step(turn, bytesOf([]), { system: "You are somebody else." });
  const [one, two, three] = [await cardsOf(1), await cardsOf(2), await cardsOf(3)];
  const ids = (cards: typeof one) => cards.map((card) => card.card_id);
  expect(one.map((card) => card.type)).toEqual(["sys.rendered_prompt", "sys.tools"]);
  expect(ids(two)).toEqual(ids(one));
  expect(ids(three)).toEqual([expect.not.stringContaining(one[0]?.card_id ?? ""), one[1]?.card_id]);
  expect(three[0]?.content).toEqual({ kind: "text", text: "You are somebody else." });
});
