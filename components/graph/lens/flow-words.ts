// What the ends of an edge are called: turns by their headcodes, folded wagons by what they hold, sources by kind and name.
import type { FlowSource } from "@/server/contract/answers/run-flow";
import type { TurnFrame } from "@/server/contract/frame";
import type { HandoverVerdict } from "@/server/contract/handover-diff";
import type { FlowSourceKind } from "@/server/contract/run-flow";
import { foldCount } from "../fold-words";
import type { FoldViews } from "../plan/fold-view";

export const sourceKinds: Record<FlowSourceKind, string> = {
  person: "Person",
  pack: "Pack",
  profile: "Profile",
  tool: "Tool",
  run: "Earlier run",
  import: "Import",
  given: "Given by",
};

export const verdictWords: Record<HandoverVerdict, string> = {
  passed: "Passed",
  passed_unseen: "Passed unseen",
  added: "Added",
  rewritten: "Rewritten",
  redacted: "Redacted",
  left_out: "Left out",
  withheld: "Withheld",
  trimmed: "Trimmed",
  not_sent: "Not sent",
  memory: "Memory",
};

export type EndName = { code: string; words: string };
type Named = {
  turns: ReadonlyMap<string, TurnFrame>;
  folds: FoldViews;
  sources: readonly FlowSource[];
  labelOf: (turn: TurnFrame) => string;
};

export function endName(id: string, { turns, folds, sources, labelOf }: Named): EndName {
  const fold = folds.get(id);
  if (fold) return { code: fold.name, words: foldCount(fold) };
  const turn = turns.get(id);
  if (turn) return { code: turn.headcode, words: labelOf(turn) };
  const source = sources.find(({ source_id }) => source_id === id);
  return source ? { code: sourceKinds[source.kind], words: source.name } : { code: "not drawn", words: "" };
}
