// A worker of any language calls a tool for its turn: the call is written down first, under an id that follows from the
// worker's own, so that the same call again is the same call. Most tools answer at once; the others are waited for.
import { createHash } from "node:crypto";
import { canonicalJson } from "@/server/contract/canonical-json";
import type { Card } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import { mendText } from "@/server/contract/text";
import type { ToolCallInput, ToolCallResult } from "@/server/contract/waiting";
import { getCards } from "../cardbox/get-cards";
import { refuseLarge } from "../cardbox/refuse-large";
import type { Kernel } from "../kernel";
import { readOwnCards, readScene } from "../provenance/read-scene";
import { appendCards, type TurnCard } from "../turns/append-cards";
import { type Fenced, isFenced } from "../turns/fenced";
import { lockTurn, type TurnKey } from "../turns/lock-turn";
import type { TurnRow } from "../turns/turn-row";
import { type Unit, withUnit } from "../unit";
import { isApproved } from "./approval";
import { type Taken, takeCall, untilFree, whileTaken } from "./call-claim";
import { carryOut } from "./carry-out";
import { readTools } from "./read-tools";
import { readSubmission } from "./submission";
import { submitInCall } from "./submit-in-call";

export type CallTool = TurnKey & Omit<ToolCallInput, "turn_epoch"> & { worker_id?: string; signal?: AbortSignal };

/**
 * What a tool refuses is its result, and not an error. The same call again gets what the first one gets, and is answered when
 * it is; `signal` ends that patience.
 */
export async function callTool(kernel: Kernel, input: CallTool): Promise<ToolCallResult | Fenced> {
  const { project_id, agent_turn_id, signal } = input;
  refuseLarge({ content: { kind: "json", data: input.arguments } }, "arguments");
  for (;;) {
    const call = await writeCall(kernel, input);
    if (isFenced(call)) return call;
    const { taken, card } = call;
    const { tool_call_id = "" } = card;
    const key = { project_id, agent_turn_id, tool_call_id };
    if (taken === "asked") return callAsked(kernel, input, call);
    const isLater = (done: Made) => !isFenced(done) && done.isAsked;
    if (taken !== "busy") {
      const made = await whileTaken(kernel, { ...key, ...taken }, () => carryOutCall(kernel, input, call), isLater);
      return isFenced(made) ? made : made.answer;
    }
    await untilFree(kernel, key, signal);
  }
}

type Call = { turn: TurnRow; card: Card };
/** `isAsked`: a service was asked, and says that it reports later. */
type Made = { answer: ToolCallResult; isAsked: boolean } | Fenced;

const WAIT = `
  SELECT deadline_at FROM state.turn_waiting_tools WHERE project_id = $1 AND agent_turn_id = $2 AND tool_call_id = $3
  ORDER BY turn_epoch DESC LIMIT 1`;

/** The service has the call already: what it has reported, or until when the turn waits for that. */
async function callAsked(kernel: Kernel, input: CallTool, { turn, card }: Call): Promise<ToolCallResult> {
  const { tool_call_id = "" } = card;
  const own = await readOwnCards(kernel, turn);
  const known = resultIn(own, tool_call_id);
  if (known) return inline(known);
  const { rows } = await kernel.db.pool.query<{ deadline_at: string | null }>({
    name: "call_wait",
    text: WAIT,
    values: [input.project_id, input.agent_turn_id, tool_call_id],
  });
  const deadline = rows[0]?.deadline_at;
  return { tool_call_id, mode: "suspend", ...(deadline && { deadline: new Date(deadline).toISOString() }) };
}

const resultIn = (own: Card[], tool_call_id: string): Card | undefined =>
  own.findLast((one) => one.type === "tool.result" && one.tool_call_id === tool_call_id);

async function carryOutCall(kernel: Kernel, input: CallTool, { turn, card }: Call): Promise<Made> {
  const { project_id, step_id } = input;
  const now = (answer: ToolCallResult) => ({ answer, isAsked: false });
  const scene = await readScene(kernel, turn);
  const own = await readOwnCards(kernel, turn);
  const tool_call_id = card.tool_call_id ?? "";
  const known = resultIn(own, tool_call_id);
  if (known) return now(inline(known));
  const tools = await readTools(kernel, { project_id, profile: scene.profile });
  const is_only_call = own.every(
    (one) => one.type !== "tool.call" || one.metadata.step_id !== step_id || one.tool_call_id === tool_call_id,
  );
  const is_approved = own.some((one) => isApproved(one) && one.tool_call_id === tool_call_id);
  const begun = await carryOut({ kernel, scene, step_id, card, is_only_call, allowed: tools.offered, is_approved });
  const outcome = "go" in begun ? await begun.go(undefined) : begun;
  if (isFenced(outcome)) return outcome;
  if ("wait" in outcome) {
    const { deadline, batch_id } = outcome.wait;
    const answer = {
      tool_call_id,
      mode: "suspend" as const,
      ...(deadline && { deadline }),
      ...(batch_id && { batch_id }),
    };
    return { answer, isAsked: "go" in begun };
  }
  const result = { ...outcome.card, card_id: idOf(input, "result") };
  const { content } = result;
  const isSubmitted = input.tool_name === "submit_result" && isAccepted(content);
  if (!isSubmitted) {
    const stored = await append(kernel, input, result);
    return isFenced(stored) ? stored : now(inline(stored));
  }
  const approved = own.find((one) => isApproved(one) && one.tool_call_id === tool_call_id) ?? card;
  const said = approved.content?.kind === "tool_call" ? approved.content.arguments : null;
  const submission = readSubmission(said, scene.required_fields);
  if (!submission.ok) throw new Error(`an accepted submission cannot be read: ${submission.error}`);
  const ended = await submitInCall(kernel, { ...input, tool_call_id, result, content: submission.content });
  if (isFenced(ended)) return ended;
  return now({ tool_call_id, mode: "inline", status: "success", result: { status: "accepted" }, ...ended });
}

const isAccepted = (content: TurnCard["content"]): boolean =>
  typeof content !== "string" && content.kind === "tool_result" && content.status === "success";

function inline(card: Card): ToolCallResult {
  const content = card.content?.kind === "tool_result" ? card.content : null;
  const { card_id, tool_call_id = "" } = card;
  const status = content?.status === "success" ? "success" : "failed";
  return { tool_call_id, mode: "inline", status, result: content?.result ?? content?.error ?? null, card_id };
}

async function writeCall(kernel: Kernel, input: CallTool): Promise<(Call & { taken: Taken }) | Fenced> {
  const { tool_name, step_id } = input;
  const tool_call_id = `tc_${idOf(input, "id")}`;
  const card: TurnCard = {
    card_id: idOf(input, "call"),
    type: "tool.call",
    author_id: "",
    tool_call_id,
    content: { kind: "tool_call", tool_name, arguments: input.arguments },
    metadata: { step_id, client_call_id: input.client_call_id },
  };
  return withUnit(kernel, async (unit) => {
    const turn = await lockTurn(unit, { ...input, statuses: ["running"], what: `call ${tool_name}` });
    if (isFenced(turn)) return turn;
    await requireStep(unit, input);
    const [known] = await getCards(unit, { project_id: input.project_id, card_ids: [card.card_id] });
    if (known) refuseOther(known, card, input.client_call_id);
    const taken = await takeCall(unit, { ...input, tool_call_id });
    if (known) return { turn, card: known, taken };
    const made = await appendCards(unit, {
      row: turn,
      cards: [{ ...card, author_id: turn.agent_id }],
      step_id,
      patch: { note: `calls ${tool_name}` },
    });
    const [written] = made.cards;
    if (!written) throw new Error("a call was written and did not come back");
    return { turn: made.row, card: written, taken };
  });
}

/** Told the result of the other call, a worker took its submit_result for accepted, and its turn hung. */
function refuseOther(known: Card, card: TurnCard, client_call_id: string): void {
  // One that was deleted since says nothing of what it was.
  if (known.gone) return;
  const isSame =
    known.type === card.type && known.tool_call_id === card.tool_call_id && callText(known) === callText(card);
  if (isSame) return;
  throw new KernelError(
    "conflict",
    `client_call_id: ${client_call_id} was used for another tool or other arguments; use a new id for each call`,
  );
}

// As it is stored: text that no database can hold is mended on the way.
const callText = ({ content }: Pick<Card, "content"> | TurnCard): string => canonicalJson(mendText(content).value);

const STEP = "SELECT 1 FROM state.agent_steps WHERE project_id = $1 AND agent_turn_id = $2 AND step_id = $3";

/** A call of a step that is not there was written all the same, and belonged to no step of any page. */
async function requireStep(unit: Unit, { project_id, agent_turn_id, step_id }: CallTool): Promise<void> {
  const [step] = await unit.query("call_step", STEP, [project_id, agent_turn_id, step_id]);
  if (!step)
    throw new KernelError("not_found", `step_id: turn ${agent_turn_id} has no step ${step_id}; begin one first`);
}

async function append(kernel: Kernel, input: CallTool, card: TurnCard): Promise<Card | Fenced> {
  return withUnit(kernel, async (unit) => {
    const row = await lockTurn(unit, { ...input, statuses: ["running"], what: `result of ${input.tool_name}` });
    if (isFenced(row)) return row;
    // Written by somebody who took the call over because this one was silent for a lease.
    const [known] = await getCards(unit, { project_id: input.project_id, card_ids: [card.card_id] });
    if (known?.type === "tool.result" && known.tool_call_id === card.tool_call_id) return known;
    const { cards } = await appendCards(unit, { row, cards: [card], step_id: input.step_id });
    const [stored] = cards;
    if (!stored) throw new Error("a result was written and did not come back");
    return stored;
  });
}

// Of the turn and the worker's id, not of the epoch: whoever takes the turn over and makes the same call makes it once.
function idOf({ project_id, agent_turn_id, client_call_id }: CallTool, what: string): string {
  const text = [project_id, agent_turn_id, client_call_id, what].join("\n");
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
