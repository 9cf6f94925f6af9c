// What helps against a failure, wherever its code is shown: the words of the one list (docs/errors.md).
import { Ticked } from "@/components/ui/ticked";
import { failureOf } from "@/server/contract/failure-codes";

export type RemedyProps = { code: string | undefined; className?: string };

/** Nothing for a code from someone else's worker or tool: only they know it. */
export function Remedy({ code, className = "text-ink-2" }: RemedyProps) {
  const remedy = failureOf(code)?.remedy;
  if (remedy === undefined) return null;
  return (
    <span className={className}>
      <Ticked text={remedy} />
    </span>
  );
}
