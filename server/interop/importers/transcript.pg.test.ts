// The transcript of an imported log against the log itself: the same messages, in the same order, of the same authors, with the same
// texts; and the mistake and the expected answer that the log names.
import fs from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TranscriptHead, TranscriptLine } from "@/server/contract/answers/transcript";
import { saidText } from "@/server/contract/said-text";
import { getCard } from "@/server/kernel/cardbox/get-cards";
import { readTranscript } from "@/server/kernel/read-models/read-transcript";
import { readTranscriptHead } from "@/server/kernel/read-models/read-transcript-head";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { sharedFiles } from "@/server/testing/shared-data";
import { importRun } from "./import-run";

const P = "p1";
const logs = sharedFiles("who-and-when", ".json");
let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, P);
});
afterAll(() => kernel.close());

type Log = {
  history: { role: string; name?: string; content: string }[];
  question: string;
  ground_truth: unknown;
  mistake_step: string | number;
  mistake_agent: string;
  mistake_reason: string;
};

/** "Orchestrator (-> WebSurfer)" is the Orchestrator and tells the WebSurfer. */
function saidBy({ role, name, content }: Log["history"][number]): { from: string; to?: string; text: string } {
  if (name !== undefined) return { from: name, text: content };
  const to = /^Orchestrator \(-> (.+)\)$/.exec(role)?.[1];
  return { from: role.replace(/ \(.*\)$/, ""), ...(to !== undefined && { to }), text: content };
}

async function read(name: string, bytes: Buffer) {
  const { root_turn_id } = await importRun(kernel, { project_id: P, format: "who-and-when", bytes, name });
  const run = { project_id: P, root_turn_id };
  const lines: TranscriptLine[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const page = await readTranscript(kernel, { ...run, limit: 40, cursor });
    lines.push(...page.items);
    cursor = page.next_cursor;
  }
  return { lines, head: await readTranscriptHead(kernel, run) };
}

const wholeText = async (line: TranscriptLine): Promise<string> =>
  line.letters === [...line.text].length
    ? line.text
    : saidText((await getCard(kernel, { project_id: P, card_id: line.card_id })).content);

const nameOf = (head: TranscriptHead, id: string | undefined) =>
  head.agents.find((agent) => agent.agent_id === id)?.name;

test.skipIf(logs.length === 0)("there are 17 logs", () => expect(logs).toHaveLength(17));

test.each(logs)("$name reads as the log does", async ({ name, path }) => {
  const bytes = fs.readFileSync(path);
  const log: Log = JSON.parse(bytes.toString());
  const { lines, head } = await read(name, bytes);
  const messages = lines.filter((line) => line.history_index !== undefined);
  const told = await Promise.all(
    messages.map(async (line) => ({ from: nameOf(head, line.from), text: await wholeText(line) })),
  );
  expect(told).toEqual(log.history.map(saidBy).map(({ from, text }) => ({ from, text })));
  expect(messages.map((line) => line.history_index)).toEqual(log.history.map((_, i) => i));
  const asks = messages.filter((line) => line.kind === "asked").map((line) => nameOf(head, line.to));
  expect(asks.filter((to) => to !== "Orchestrator")).toEqual(log.history.map(saidBy).flatMap(({ to }) => to ?? []));
  // The question stands first in logs that have it beside their messages, and what has no answer says so; there is nothing else.
  const others = lines.filter((line) => line.history_index === undefined);
  expect(others.filter((line) => line.kind !== "failed").map((line) => line.text)).toEqual(
    name.startsWith("algorithm") ? [log.question] : [],
  );
  for (const line of others) if (line.kind !== "failed") expect(lines.indexOf(line)).toBe(0);
});

test.each(logs)("$name shows its mistake and the answer that was expected", async ({ name, path }) => {
  const bytes = fs.readFileSync(path);
  const log: Log = JSON.parse(bytes.toString());
  const { lines, head } = await read(name, bytes);
  const step = Number(log.mistake_step);
  const [marked, ...more] = lines.filter((line) => line.mistake !== undefined);
  expect(more).toEqual([]);
  expect(marked).toMatchObject({ history_index: step, mistake: log.mistake_reason });
  expect(head.mistakes).toMatchObject([
    { card_id: marked?.card_id, agent_turn_id: marked?.agent_turn_id, reason: log.mistake_reason },
  ]);
  expect(head.expected).toBe(String(log.ground_truth));
  expect(head).toMatchObject({ question: log.question, has_times: false, is_live: false });
  expect(head.given?.card_id).toBe(lines.findLast((line) => line.history_index !== undefined)?.card_id);
});
