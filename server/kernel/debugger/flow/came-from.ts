// From whom a card came that a turn holds: the turn that wrote it, or from whose boxes it was taken, else a source outside the run.
// Only what is recorded decides, as for hand-overs and blame. Pure.
import { boxPlate } from "@/server/contract/box";
import type { FlowSourceKind } from "@/server/contract/run-flow";
import { hayOf } from "../blame/blame-card";
import { joinedBranches } from "../blame/joined-branches";
import { MADE_FOR_ONE } from "../blame/read-writer";
import type { FlowCard } from "./read-flow-cards";

export type Held = { card_id: string; origin: string; as: "context" | "memory" | "output" };
/** Turns and boxes of other runs. */
export type Elsewhere = ReadonlyMap<string, { root_turn_id: string; number: number | null }>;
export type Known = { turns: FlowTurns; cards: ReadonlyMap<string, FlowCard>; elsewhere: Elsewhere };
export type CameFrom = { from: string; source?: { kind: FlowSourceKind; name: string }; tokens: number };

export type FlowTurn = {
  agent_turn_id: string;
  parent_turn_id: string | null;
  context_box_id: string;
  output_box_id: string | null;
  output_start: number;
  created_ms: number;
};
export type FlowTurns = {
  get: (agent_turn_id: string | null) => FlowTurn | undefined;
  /** The turn that a box is of; of those that share an output box, the last that had begun by then. */
  ofBox: (box_id: string, before_ms: number) => FlowTurn | undefined;
};

/** Nothing for what the turn wrote itself. Several for the answer of a fork, which is divided among its branches. */
export function cameFrom(held: Held, turn: FlowTurn, known: Known): CameFrom[] {
  const card = known.cards.get(held.card_id);
  if (!card) return [];
  const { tokens } = card;
  const made = outside("given", "a client");
  if (held.as === "output") return card.agent_turn_id === turn.agent_turn_id ? answered(card, turn, known) : [];
  const { agent_turn_id } = card;
  if (agent_turn_id === turn.agent_turn_id) return [];
  const writer = known.turns.get(agent_turn_id);
  if (!writer && card.type === "context.pack") return [{ ...outside("pack", packName(card)), tokens }];
  if (!writer && (MADE_FOR_ONE.test(held.origin) || held.origin === "ptr")) {
    const caller = known.turns.get(turn.parent_turn_id);
    return [{ ...(caller ? { from: caller.agent_turn_id } : made), tokens }];
  }
  const from = writer ?? boxTurn(held, turn, known);
  return [{ ...(from ? { from: from.agent_turn_id } : authorOf(card, held, known)), tokens }];
}

function boxTurn({ origin }: Held, turn: FlowTurn, { turns }: Known): FlowTurn | undefined {
  if (!origin.startsWith("box:")) return undefined;
  const found = turns.ofBox(origin.slice("box:".length), turn.created_ms);
  return found?.agent_turn_id === turn.agent_turn_id ? undefined : found;
}

/** A result is a tool's, a person's who decided it, or that of the branches it sums up. */
function answered(card: FlowCard, turn: FlowTurn, { turns }: Known): CameFrom[] {
  const { tokens } = card;
  if (card.joined) {
    const { text } = hayOf({ content: card.joined });
    const parts = joinedBranches({ card_id: card.card_id, content: card.joined }, text).flatMap((branch) => {
      const of = turns.ofBox(branch.output_box_id, card.created_ms);
      return of && of.agent_turn_id !== turn.agent_turn_id
        ? [{ from: of.agent_turn_id, weight: branch.end - branch.start }]
        : [];
    });
    if (parts.length > 0) return divided(parts, tokens);
  }
  if (card.type !== "tool.result") return [];
  const person = card.decided_by ?? (card.author_id.startsWith("human_") ? card.author_id : null);
  if (person !== null) return [{ ...outside("person", person.replace(/^human_/, "")), tokens }];
  return [{ ...outside("tool", card.author_id.replace(/^tool\./, "") || (card.function_name ?? "tool")), tokens }];
}

/** By weight, without losing or making one: each gets what the sum up to it has reached. */
function divided(parts: readonly { from: string; weight: number }[], tokens: number): CameFrom[] {
  const all = parts.reduce((sum, { weight }) => sum + weight, 0);
  let upto = 0;
  let given = 0;
  return parts.map(({ from, weight }, i) => {
    upto += weight;
    const until = i === parts.length - 1 ? tokens : all === 0 ? 0 : Math.round((tokens * upto) / all);
    const own = until - given;
    given = until;
    return { from, tokens: own };
  });
}

function authorOf(card: FlowCard, { origin }: Held, { elsewhere }: Known): Omit<CameFrom, "tokens"> {
  const box_id = origin.startsWith("box:") ? origin.slice("box:".length) : "";
  const other = elsewhere.get(card.agent_turn_id ?? "") ?? elsewhere.get(box_id);
  if (other) return outside("run", other.root_turn_id, other.number === null ? undefined : `run ${other.number}`);
  if (card.type === "sys.profile") return outside("profile", card.author_id || "profile");
  if (card.author_id.startsWith("human_")) return outside("person", card.author_id.replace(/^human_/, ""));
  if (card.author_id.startsWith("tool.")) return outside("tool", card.author_id.replace(/^tool\./, ""));
  if (origin === "import" || card.author_id === "import") return outside("import", "the log");
  return outside("given", "a client");
}

const outside = (kind: FlowSourceKind, id: string, name = id): Omit<CameFrom, "tokens"> => ({
  from: `${kind}:${id.slice(0, 200)}`,
  source: { kind, name },
});

const packName = ({ pack_code, card_id }: FlowCard): string => pack_code ?? boxPlate(card_id);
