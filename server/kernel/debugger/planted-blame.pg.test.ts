// Forty chains whose truth is known, run by the built-in worker: how often the first path is right (bench/README.md has the
// score), and that nothing is claimed that is not so.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BlameAnswer } from "@/server/contract/blame";
import { contentText } from "@/server/contract/card";
import { blame } from "@/server/kernel/debugger/blame";
import { tunables } from "@/server/kernel/tunables";
import { openTestKernel, type TestKernel } from "@/server/testing/kernel";
import type { Chain } from "@/server/testing/planted/chain";
import { worded } from "@/server/testing/planted/chains";
import { decoys } from "@/server/testing/planted/decoys";
import { recorded } from "@/server/testing/planted/recorded-chains";
import { runChains } from "@/server/testing/planted/run-chains";
import { countStatements } from "@/server/testing/statements";
import { getCards } from "../cardbox/get-cards";

const P = "planted";
const truths = [...worded, ...recorded];
const all = [...truths, ...decoys];
let kernel: TestKernel;
const answers = new Map<string, BlameAnswer>();

const QUOTED = `
  SELECT t.deliverable_card_id FROM state.agent_turns t WHERE t.project_id = $1 AND t.profile_name = $2 AND t.status = 'success'`;

async function quoted({ name, quote }: Chain): Promise<{ card_id: string; start: number; end: number }> {
  const { rows } = await kernel.db.pool.query<{ deliverable_card_id: string }>(QUOTED, [P, `${name}-${quote.role}`]);
  const [card] = await getCards(kernel, { project_id: P, card_ids: [rows[0]?.deliverable_card_id ?? ""] });
  const start = contentText(card?.content ?? null).indexOf(quote.words);
  if (!card || start < 0) throw new Error(`${name}: the words were not delivered`);
  return { card_id: card.card_id, start, end: start + quote.words.length };
}

beforeAll(async () => {
  kernel = await openTestKernel({ tunables: { ...tunables, pollMs: 100 } });
  await runChains(kernel, P, all);
  for (const one of all) answers.set(one.name, await blame(kernel, { project_id: P, ...(await quoted(one)) }));
}, 180_000);
afterAll(() => kernel.close());

const answerOf = ({ name }: Chain): BlameAnswer => {
  const answer = answers.get(name);
  if (!answer) throw new Error(`${name} has no answer`);
  return answer;
};
const pathOf = ({ hops }: BlameAnswer, { name }: Chain): string[] =>
  hops.map(({ type, profile_name, author_id }) => `${type} ${(profile_name ?? author_id).replace(`${name}-`, "")}`);
const plain = (text: string) => text.toLowerCase().replace(/\s+/g, " ");

/** Undefined if the first path is right: every hop, its end, and the words at its end. */
function faultOf(one: Chain): string | undefined {
  const answer = answerOf(one);
  const got = [...pathOf(answer, one), answer.end].join(" > ");
  const wanted = [...one.path, one.end].join(" > ");
  if (got !== wanted) return `${one.name}: ${got}, wanted ${wanted}`;
  const said = answer.hops.at(-1)?.words ?? "";
  if (one.says !== undefined && !plain(said).includes(plain(one.says))) return `${one.name}: says ${said}`;
  const beside = answer.hops[0]?.others.map(({ words }) => words).join("\n") ?? "";
  return one.beside === undefined || beside.includes(one.beside) ? undefined : `${one.name}: not beside: ${beside}`;
}

test("the first path is right in at least 36 of 40", () => {
  const faults = all.flatMap((one) => faultOf(one) ?? []);
  console.info(
    `blame: ${all.length - faults.length} of ${all.length} first paths right${faults.map((fault) => `\n  ${fault}`).join("")}`,
  );
  expect(all).toHaveLength(40);
  expect(faults.length, faults.join("\n")).toBeLessThanOrEqual(4);
});

describe("decoys", () => {
  test.each(decoys)("$name is not claimed as exact, nor as a value", (one) => {
    const kinds = answerOf(one).hops.map(({ evidence }) => evidence);
    expect(kinds).not.toContain("exact");
    expect(kinds).not.toContain("value");
  });
});

test("every answer is whole, and names cards and turns that it looked at", () => {
  for (const one of all) {
    const { is_partial, looked_at, hops } = answerOf(one);
    expect(is_partial).toBe(false);
    expect(looked_at.cards).toBeGreaterThan(hops.length);
  }
});

test("statements do not grow with what was sent: at most seven a hop", async () => {
  const [longest] = [...truths].sort((a, b) => b.path.length - a.path.length);
  if (!longest) throw new Error("there are chains");
  const at = { project_id: P, ...(await quoted(longest)) };
  const statements = await countStatements(kernel, (counting) => blame(counting, at));
  expect(statements).toBeLessThanOrEqual(1 + 7 * (longest.path.length + 1));
});
