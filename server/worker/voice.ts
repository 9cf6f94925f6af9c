// Sends watchers what a model says while it says it: a few rings per second, however many pieces a provider sends, and none
// too large for a doorbell.
import type { ThinkingPart } from "@/server/contract/thinking";
import type { Kernel, ThinkingRing } from "@/server/kernel/kernel";
import type { TurnRow } from "@/server/kernel/turns/turn-row";
import type { Audience } from "./audience";
import { cutForRing } from "./cut-for-ring";

/** For one turn in one epoch. Nothing here waits or throws: a turn continues whether anyone listens or not. */
export type Voice = {
  begin: (step_id: string) => void;
  say: (part: ThinkingPart, text: string) => void;
  /** The request is sent again, and what the model said so far is void. */
  restart: () => void;
  /** The step's text is complete; the card has it. */
  end: () => void;
  close: () => void;
};

const gapMs = 100;
const parts = ["reasoning", "text"] as const;

export function createVoice(kernel: Kernel, turn: TurnRow, audience: Audience): Voice {
  const { project_id, channel, agent_turn_id, turn_epoch } = turn;
  let step_id = "";
  let round = 0;
  let seq = 0;
  let said = { text: "", reasoning: "" };
  let rung = { text: 0, reasoning: 0 };
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(is_over = false, isNews = is_over): void {
    clearTimeout(timer);
    timer = undefined;
    if (step_id === "" || !audience.isThere(turn)) return;
    const rings: ThinkingRing[] = [];
    const add = (part: ThinkingPart, offset: number, text: string): void => {
      const piece = { agent_turn_id, turn_epoch, step_id, seq: seq++, round, part, offset, text, is_over: false };
      rings.push({ kind: "thinking", project_id, channel, ...piece });
    };
    for (const part of parts) {
      let offset = rung[part];
      for (const text of cutForRing(said[part].slice(offset))) {
        add(part, offset, text);
        offset += text.length;
      }
      rung[part] = offset;
    }
    if (isNews && rings.length === 0) add("text", said.text.length, "");
    const last = rings.at(-1);
    if (last) last.is_over = is_over;
    void kernel.doorbell.ring(rings);
  }

  function restart(): void {
    said = { text: "", reasoning: "" };
    rung = { text: 0, reasoning: 0 };
  }

  const leave = audience.perform(turn, () => {
    rung = { text: 0, reasoning: 0 };
    flush();
  });
  return {
    begin: (next) => {
      step_id = next;
      round = 0;
      restart();
    },
    say: (part, text) => {
      said[part] += text;
      timer ??= setTimeout(flush, gapMs);
    },
    restart: () => {
      round++;
      restart();
      flush(false, true);
    },
    end: () => {
      flush(true);
      step_id = "";
    },
    close: () => {
      clearTimeout(timer);
      leave();
    },
  };
}
