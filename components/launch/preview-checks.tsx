"use client";

// What the dry run has checked, in words; and what would keep the turn waiting though nothing refuses it.
import type { ReactNode } from "react";
import { formatCount } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { VerdictMark } from "@/components/ui/verdict-mark";
import { type Answer, leftOut, totalTokens, windowTokens } from "./seen-cards";

export function PreviewChecks({ answer }: { answer: Answer }) {
  const { receipt } = answer.pack;
  const { worker_target } = answer.target;
  const window = windowTokens(answer);
  const unasked = answer.pack.rendered?.unasked_servers ?? [];
  const redacted = leftOut(answer)
    .filter((line) => line.verdict === "redacted")
    .reduce((sum, line) => sum + line.cards, 0);
  const kept = receipt.left_out_cards - redacted;
  return (
    <div className="flex-none border-line border-t px-4 py-2.5">
      <h4 className="mb-1 text-ink-3 text-note">Checks</h4>
      <ul className="flex flex-col gap-1.5">
        <Line mark="good">
          {formatCount(receipt.included_cards, "card")} packed
          {receipt.recipe ? ` by recipe ${receipt.recipe.name}@${receipt.recipe.version}` : ""}, no errors
        </Line>
        {kept > 0 ? (
          <Line mark={<VerdictMark verdict="withheld" size={14} label={null} />}>
            {formatCount(kept, "card")} {kept === 1 ? "does" : "do"} not travel
          </Line>
        ) : null}
        {redacted > 0 ? (
          <Line mark={<VerdictMark verdict="redacted" size={14} label={null} />}>
            {formatCount(redacted, "card")} would be redacted
          </Line>
        ) : null}
        {window !== null && totalTokens(answer) > window ? (
          <Line mark="warn">
            It is larger than the model's context window. The provider may refuse the first request.
          </Line>
        ) : null}
        {unasked.length > 0 ? (
          <Line mark="warn">
            Tools of {unasked.join(", ")} are not counted: no worker has asked{" "}
            {unasked.length === 1 ? "this MCP server" : "these MCP servers"} yet
          </Line>
        ) : null}
        {answer.queue_ahead > 0 ? (
          <Line mark="warn">It waits behind {formatCount(answer.queue_ahead, "turn")} of this agent</Line>
        ) : null}
        {answer.worker_count > 0 ? (
          <Line mark="good">
            {formatCount(answer.worker_count, "worker")} {answer.worker_count === 1 ? "takes" : "take"}{" "}
            <span className="mono">{worker_target}</span>
          </Line>
        ) : answer.target.needs_own_worker ? (
          <Line mark="warn">
            Its profile names no model, so the built-in worker leaves it: it waits until a worker of this project that
            names <span className="mono">{worker_target}</span> is started
          </Line>
        ) : (
          <Line mark="warn">
            No worker takes turns for <span className="mono">{worker_target}</span>: it waits until one is started
          </Line>
        )}
      </ul>
    </div>
  );
}

function Line({ mark, children }: { mark: "good" | "warn" | ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-start gap-2">
      <span className="mt-px flex-none">
        {mark === "good" ? (
          <Icon name="check" size={14} className="text-st-success" />
        ) : mark === "warn" ? (
          <Icon name="warn" size={14} className="text-st-partial" />
        ) : (
          mark
        )}
      </span>
      <span>{children}</span>
    </li>
  );
}
