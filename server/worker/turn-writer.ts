// Every write of a turn goes through here: it waits while the database is away, writes nothing twice, and ends the turn's
// work as soon as a write is refused because another worker holds the turn.
import type { SuspendResult } from "@/server/contract/waiting";
import { getCards } from "@/server/kernel/cardbox/get-cards";
import type { Kernel } from "@/server/kernel/kernel";
import type { TurnCard } from "@/server/kernel/turns/append-cards";
import { appendOutput } from "@/server/kernel/turns/append-output";
import { type BeginStepInput, type BegunStep, beginStep } from "@/server/kernel/turns/begin-step";
import { type Delivered, type DeliverInput, deliverTurn } from "@/server/kernel/turns/deliver-turn";
import { type EndStepInput, endStep } from "@/server/kernel/turns/end-step";
import { type Fenced, isFenced } from "@/server/kernel/turns/fenced";
import type { TurnKey } from "@/server/kernel/turns/lock-turn";
import { type SuspendInput, suspendTurn } from "@/server/kernel/turns/suspend-turn";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import { TurnLost } from "./turn-lost";
import { untilWritten } from "./until-written";

type Own<Input> = Omit<Input, keyof TurnKey | "worker_id">;

export type TurnWriter = {
  append: (input: { cards: TurnCard[]; note?: string }) => Promise<void>;
  beginStep: (input: Own<BeginStepInput>) => Promise<BegunStep>;
  endStep: (input: Own<EndStepInput>) => Promise<void>;
  suspend: (input: Own<SuspendInput>) => Promise<SuspendResult>;
  deliver: (input: Own<DeliverInput>) => Promise<void>;
};

/** Every verb rejects with the reason of `lost` once the turn is lost, and aborts `lost` if it finds out itself. */
export function createTurnWriter(
  kernel: Kernel,
  input: {
    turn: TurnRow;
    worker_id: string;
    lost: AbortController;
    deliver?: (end: DeliverInput) => Promise<Delivered>;
  },
): TurnWriter {
  const { turn, worker_id, lost } = input;
  const { project_id, agent_turn_id, turn_epoch } = turn;
  const end = input.deliver ?? ((given: DeliverInput) => deliverTurn(kernel, given));
  const own = { project_id, agent_turn_id, turn_epoch, worker_id };

  async function write<T extends object>(verb: () => Promise<T | Fenced>, cards: TurnCard[] = []): Promise<T | null> {
    // Cards and their places are written together: if one exists, all do.
    const first = cards[0]?.card_id;
    const wasWritten = async () => {
      if (first === undefined) return null;
      const found = await getCards(kernel, { project_id, card_ids: [first] });
      return found.length > 0 ? ("written" as const) : null;
    };
    const answer = await untilWritten<T | Fenced | "written">(lost.signal, verb, wasWritten);
    if (answer === "written") return null;
    if (!isFenced(answer)) return answer;
    lost.abort(new TurnLost(`its lease has ended: epoch ${turn_epoch}, now ${answer.current_epoch ?? "none"}`));
    throw lost.signal.reason;
  }

  // Our own id for each card makes a repeated write recognisable.
  const named = (cards: TurnCard[]): TurnCard[] => cards.map((card) => ({ card_id: kernel.newId(), ...card }));

  return {
    append: async (append) => {
      const cards = named(append.cards);
      await write(() => appendOutput(kernel, { ...own, ...append, cards }), cards);
    },
    beginStep: async (begin) => {
      const begun = await write(() => beginStep(kernel, { ...own, ...begin }));
      if (!begun) throw new Error("a step was begun and nothing came back");
      return begun;
    },
    endStep: async (end) => {
      const cards = named(end.cards);
      await write(() => endStep(kernel, { ...own, ...end, cards }), cards);
    },
    suspend: async (suspend) => {
      const step = suspend.step && { ...suspend.step, cards: named(suspend.step.cards) };
      const slept = await write(() => suspendTurn(kernel, { ...own, ...suspend, step }), step?.cards);
      // Written before its answer was lost: a suspended turn has no holder, and one that still runs is found by the next read.
      return slept ?? { status: "suspended", results: [], waiting: suspend.tool_call_ids };
    },
    deliver: async (deliver) => {
      const cards = named(deliver.cards ?? []);
      await write(() => end({ ...own, ...deliver, cards }), cards);
    },
  };
}
