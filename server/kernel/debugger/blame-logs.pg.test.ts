// Blame in logs that other people wrote: from each sentence of the final answer it ends at a person or names where the words
// were first said, as a plain search of the cards that its author had finds them. The question itself is the person's.
import fs from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importRun } from "@/server/interop/importers/import-run";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { sharedFiles } from "@/server/testing/shared-data";
import { blame } from "./blame";
import { LETTERS_MIN } from "./blame/needle";
import { splitParts } from "./blame/split-parts";

let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
});
afterAll(() => kernel.close());

type Said = { card_id: string; text: string; n: number | null; agent_turn_id: string };

const SAID = `
  SELECT c.card_id, c.content ->> 'text' AS text, (c.metadata ->> 'history_index')::int AS n, c.metadata ->> 'agent_turn_id' AS agent_turn_id
  FROM cards c WHERE c.tenant_id = $1 AND c.content ->> 'kind' = 'text' AND c.metadata ? 'agent_turn_id'
  ORDER BY (c.metadata ->> 'history_index')::int NULLS FIRST`;
const FIRST = `
  SELECT c.card_id FROM state.agent_turns t
  JOIN card_box_chunks k ON k.tenant_id = $1 AND k.box_id IN (t.context_box_id, t.output_box_id)
  JOIN cards c ON c.tenant_id = $1 AND c.card_id = ANY (k.card_ids)
  WHERE t.project_id = $1 AND t.agent_turn_id = $2 AND coalesce((c.metadata ->> 'history_index')::int, -1) < $3
    AND position($4 IN lower(regexp_replace(normalize(c.content ->> 'text', NFKC), '\\s+', ' ', 'g'))) > 0
  ORDER BY (c.metadata ->> 'history_index')::int NULLS FIRST LIMIT 1`;

const plain = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
const rows = async <R>(text: string, values: unknown[]): Promise<R[]> =>
  (await kernel.db.pool.query(text, values)).rows as R[];

async function imported(name: string, path: string): Promise<{ project_id: string; said: Said[]; root: string }> {
  const project_id = `log-${name.replace(/\W/g, "-")}`;
  await seedProject(kernel, project_id);
  await importRun(kernel, { project_id, format: "who-and-when", bytes: fs.readFileSync(path), name });
  const [run] = await rows<{ root_turn_id: string }>("SELECT root_turn_id FROM state.runs WHERE project_id = $1", [
    project_id,
  ]);
  return { project_id, said: await rows<Said>(SAID, [project_id]), root: run?.root_turn_id ?? "" };
}

const logs = sharedFiles("who-and-when", ".json");
const totals = { parts: 0, exact: 0, carried: 0, hops: 0 };

test.skipIf(logs.length === 0).each(logs)("the final answer of $name", async ({ name, path }) => {
  const { project_id, said } = await imported(name, path);
  const final = said.findLast(({ text }) => text.replace(/terminate/i, "").trim().length > LETTERS_MIN);
  if (!final) throw new Error("a log has a final answer");
  const order = new Map(said.map(({ card_id, n }) => [card_id, n ?? -1]));
  for (const { start, end } of [{ start: 0, end: final.text.length }, ...splitParts(final.text)]) {
    const words = plain(final.text.slice(start, end));
    if (words.length < LETTERS_MIN) continue;
    const answer = await blame(kernel, { project_id, card_id: final.card_id, start, end });
    expect(answer.is_partial).toBe(false);
    expect(["human", "first_said"]).toContain(answer.end);
    const [first] = await rows<Said>(FIRST, [project_id, final.agent_turn_id, final.n ?? 0, words]);
    const [hop] = answer.hops;
    // An earlier card may carry all of its words with other punctuation.
    if (first) {
      expect(hop, words).toMatchObject({ coverage: 1 });
      expect(order.get(hop?.card_id ?? ""), words).toBeLessThanOrEqual(order.get(first.card_id) ?? -1);
      if (hop?.evidence === "exact") expect(hop.card_id, words).toBe(first.card_id);
      totals.exact++;
    } else expect(hop?.evidence, words).not.toBe("exact");
    const path_back = [final.card_id, ...answer.hops.map(({ card_id }) => card_id)].map((id) => order.get(id) ?? -1);
    expect(path_back).toEqual([...path_back].sort((a, b) => b - a));
    totals.parts++;
    totals.hops += answer.hops.length;
    if (hop) totals.carried++;
  }
});

test.skipIf(logs.length === 0).each(logs)("the question of $name is the person's", async ({ name, path }) => {
  const { project_id, said, root } = await imported(`q-${name}`, path);
  const asked = said.find(({ agent_turn_id, text }) => agent_turn_id === root && text.length > LETTERS_MIN);
  if (!asked) throw new Error("a log has a question");
  const [part] = splitParts(asked.text);
  const text = asked.text.slice(part?.start, part?.end);
  const answer = await blame(kernel, { project_id, text, root_turn_id: root });
  expect(answer).toMatchObject({ end: "human", is_partial: false, hops: [{ card_id: asked.card_id, coverage: 1 }] });
  expect(answer.start).toBeUndefined();
});

test.skipIf(logs.length === 0)("some of it was said before", () => {
  console.info(`blame in ${logs.length} logs: ${JSON.stringify(totals)}`);
  expect(totals.carried).toBeGreaterThan(0);
});
