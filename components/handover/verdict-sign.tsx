// The sign of a verdict, beside its word or instead of it.
import { Icon } from "@/components/ui/icon";
import { VerdictMark } from "@/components/ui/verdict-mark";
import type { HandoverVerdict } from "@/server/contract/handover-diff";
import { verdictNames } from "./view/verdict-words";

/** `isNamed`: the word stands beside it. */
export function VerdictSign({ verdict, isNamed = false }: { verdict: HandoverVerdict; isNamed?: boolean }) {
  return (
    <span className="handover-sign" data-verdict={verdict} title={isNamed ? undefined : verdictNames[verdict]}>
      {shapeOf(verdict)}
      {isNamed ? null : <span className="sr-only">{verdictNames[verdict]}</span>}
    </span>
  );
}

function shapeOf(verdict: HandoverVerdict) {
  if (verdict === "rewritten") return <Icon name="diff" size={14} />;
  if (verdict === "trimmed") return <Icon name="cut" size={14} />;
  if (verdict === "memory") return <Icon name="back" size={14} />;
  if (verdict === "not_sent") return <Icon name="unseen" size={14} />;
  return <VerdictMark verdict={marks[verdict]} label={null} />;
}

const marks = {
  passed: "passed",
  passed_unseen: "passed",
  added: "added",
  redacted: "redacted",
  left_out: "withheld",
  withheld: "withheld",
} as const;
