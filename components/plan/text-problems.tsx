// What is wrong with the text, each with a way to its line.
import { Button } from "@/components/ui/button";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import type { TextProblem } from "./check-text";

const SHOWN_MAX = 50;

export function TextProblems({
  problems,
  onLine,
}: {
  problems: readonly TextProblem[];
  onLine: (line: number) => void;
}) {
  return (
    <div className="mt-2">
      <ul aria-label="Problems" className="flex max-h-44 flex-col overflow-y-auto rounded-2 bg-well">
        {problems.slice(0, SHOWN_MAX).map((problem) => (
          <li
            key={`${problem.line} ${problem.message}`}
            className="flex items-start gap-2 border-line border-b px-2.5 py-1.5 last:border-b-0"
          >
            <span className={`mt-0.5 flex-none ${problem.severity === "error" ? "text-st-failed" : "text-st-partial"}`}>
              <Icon name={problem.severity === "error" ? "x" : "warn"} size={14} />
              <span className="sr-only">{problem.severity}: </span>
            </span>
            <span dir="auto" className="min-w-0 flex-1 break-words">
              {problem.message}
            </span>
            <Button size="sm" onClick={() => onLine(problem.line)}>
              Line {formatNumber(problem.line)}
            </Button>
          </li>
        ))}
      </ul>
      {problems.length > SHOWN_MAX ? (
        <p className="mt-1 text-ink-3">
          The first {SHOWN_MAX} of {formatCount(problems.length, "problem")}.
        </p>
      ) : null}
    </div>
  );
}
