// A bundle's folder as a report needs it: turns and boxes in memory, and where each card stands in its file.
import type { RunLine, TurnLine } from "@/server/contract/bundle/lines";
import type { BoxLine, CardLine } from "@/server/contract/bundle/store-lines";
import type { Folder } from "@/server/interop/bundle/folder";

export type RunIndex = {
  run: RunLine;
  /** Callers before those they called, each with what it called behind it. */
  turns: { turn: TurnLine; depth: number }[];
  boxes: Map<string, string[]>;
  cardOf: (card_id: string) => Promise<CardLine | null>;
};

export async function readIndex(folder: Folder): Promise<RunIndex> {
  const turns: TurnLine[] = [];
  let run: RunLine | undefined;
  for await (const text of folder.lines("run.json")) run = JSON.parse(text) as RunLine;
  if (!run) throw new Error("a bundle has a run");
  for await (const text of folder.lines("turns.jsonl")) turns.push(JSON.parse(text) as TurnLine);
  const wanted = new Set(turns.flatMap((turn) => [turn.context_box_id, turn.output_box_id]));
  const boxes = new Map<string, string[]>();
  for await (const text of folder.lines("boxes.jsonl")) {
    const { box_id, card_ids } = JSON.parse(text) as BoxLine;
    if (wanted.has(box_id)) boxes.set(box_id, card_ids);
  }
  const places = new Map<string, { at: number; length: number }>();
  let at = 0;
  for await (const text of folder.lines("cards.jsonl")) {
    const length = Buffer.byteLength(text);
    places.set((JSON.parse(text) as CardLine).card_id, { at, length });
    at += length + 1;
  }
  return {
    run,
    turns: inOrder(turns),
    boxes,
    cardOf: async (card_id) => {
      const place = places.get(card_id);
      if (!place) return null;
      return JSON.parse(Buffer.from(await folder.lineAt("cards.jsonl", place)).toString()) as CardLine;
    },
  };
}

function inOrder(turns: readonly TurnLine[]): RunIndex["turns"] {
  const ids = new Set(turns.map((turn) => turn.agent_turn_id));
  const below = new Map<string | null, TurnLine[]>();
  for (const turn of turns) {
    const parent = ids.has(turn.parent_turn_id ?? "") ? turn.parent_turn_id : null;
    below.set(parent, [...(below.get(parent) ?? []), turn]);
  }
  // Latest first: they are taken from the end.
  const late = (parent: string | null) =>
    (below.get(parent) ?? []).sort((a, b) =>
      a.created_at + a.agent_turn_id < b.created_at + b.agent_turn_id ? 1 : -1,
    );
  const stack = late(null).map((turn) => ({ turn, depth: 0 }));
  const ordered: RunIndex["turns"] = [];
  for (let next = stack.pop(); next; next = stack.pop()) {
    ordered.push(next);
    const { depth } = next;
    for (const turn of late(next.turn.agent_turn_id)) stack.push({ turn, depth: depth + 1 });
  }
  return ordered;
}
