// Turns that give cause for alarms, made by hand: what a worker would have sent to a model, and cards.
import { insertCards } from "@/server/kernel/cardbox/insert-cards";
import type { Kernel } from "@/server/kernel/kernel";
import { sweepAlarms } from "@/server/kernel/reclaim/sweep-alarms";
import { appendOutput } from "@/server/kernel/turns/append-output";
import { beginStep } from "@/server/kernel/turns/begin-step";
import { isFenced } from "@/server/kernel/turns/fenced";
import { withUnit } from "@/server/kernel/unit";
import type { Running } from "./callers";

export type StoredAlarm = {
  alarm_id: string;
  rule: string;
  subject_kind: string;
  subject_id: string;
  agent_turn_id: string;
  figures: Record<string, number | string>;
};

/** About so many tokens. */
export const words = (tokens: number, word = "word"): string => `${word} `.repeat(tokens).trim();

export function alarmsOf(kernel: () => Kernel, project_id: string) {
  return {
    /** What the rule has found in the project, after whatever is due was swept. */
    found: async (rule: string): Promise<StoredAlarm[]> => {
      await sweepAlarms(kernel());
      const { rows } = await kernel().db.pool.query<StoredAlarm>(
        `SELECT alarm_id, rule, subject_kind, subject_id, agent_turn_id, figures FROM state.alarms
         WHERE project_id = $1 AND rule = $2 ORDER BY alarm_id`,
        [project_id, rule],
      );
      return rows;
    },
    /** Its ids, oldest first. */
    cards: async (texts: string[]): Promise<string[]> => {
      const made = await withUnit(kernel(), (unit) =>
        insertCards(unit, {
          project_id,
          cards: texts.map((content) => ({ type: "agent.note", author_id: "ann", content })),
        }),
      );
      return made.map(({ card_id }) => card_id);
    },
    /** The turn sends these cards to its model. */
    send: async (turn: Running, card_ids: string[], { system = "You work.", tokens = 10 } = {}): Promise<string> => {
      const step = await beginStep(kernel(), {
        ...turn,
        request: { card_ids, system, tools: [], tokens, tools_tokens: 0 },
      });
      if (isFenced(step)) throw new Error("the turn was fenced");
      return step.step_id;
    },
    /** The turn writes a card. */
    write: async (turn: Running, content: string): Promise<string> => {
      const cards = [{ type: "agent.note", author_id: turn.agent_id, content }];
      const written = await appendOutput(kernel(), { ...turn, cards });
      if (isFenced(written)) throw new Error("the turn was fenced");
      return written.card_ids[0] ?? "";
    },
  };
}
