"use client";

// The line from the person to this turn, every station a link.
import { Fragment } from "react";
import { Aspect } from "@/components/ui/aspect";
import { HumanMark } from "@/components/ui/human-mark";
import { Icon } from "@/components/ui/icon";
import { KindMark } from "@/components/ui/kind-mark";
import { Link } from "@/components/ui/link";
import { plainWords } from "@/components/ui/plain-words";
import { Plate } from "@/components/ui/plate";
import { batchCode, branchCode } from "@/server/contract/batch-code";
import type { TurnSheet } from "@/server/contract/turn-sheet";
import { turnTitle } from "./turn-view";

/** More would not fit side by side; the middle is said as a number. */
const CALLERS_MAX = 4;

export function ChainBar({ projectId, sheet }: { projectId: string; sheet: TurnSheet }) {
  const base = `/p/${encodeURIComponent(projectId)}`;
  const callers = sheet.chain.slice(0, -1);
  const hidden = Math.max(0, callers.length - CALLERS_MAX);
  const shown = hidden === 0 ? callers : [...callers.slice(0, 2), ...callers.slice(-(CALLERS_MAX - 2))];
  const { branch, forked_from: from } = sheet;
  return (
    <nav aria-label="Chain from the person" className="turn-chain">
      {shown.map((link, at) => (
        <Fragment key={link.agent_turn_id}>
          {hidden > 0 && at === 2 ? (
            <>
              <span className="px-1.5 text-ink-3">{hidden} more</span>
              <i aria-hidden />
            </>
          ) : null}
          <Link
            href={`${base}/turns/${encodeURIComponent(link.agent_turn_id)}`}
            className="turn-station"
            title={`${link.display_name ?? turnTitle(link)} ${link.headcode}`}
          >
            {link.is_human ? <HumanMark name={turnTitle(link)} size={20} /> : null}
            <span dir="auto" className="truncate max-sm:hidden">
              {link.display_name ?? turnTitle(link)}
            </span>
            {link.is_human ? null : <Plate code={link.headcode} />}
          </Link>
          <i aria-hidden />
        </Fragment>
      ))}
      {branch === undefined ? null : (
        <>
          <Link
            href={`${base}/batches/${encodeURIComponent(branch.batch.batch_id)}`}
            className="turn-station text-ink-2"
            title={`${branch.batch.tool_name} of ${branch.caller}`}
          >
            <KindMark kind={branch.batch.tool_name === "ask_expert" ? "ask" : "fork"} size={13} label={null} />
            {branch.batch.tool_name === "plan_wagon"
              ? "step of a plan"
              : branch.number === undefined
                ? "asked"
                : branchCode(batchCode(branch), (sheet.task_index ?? 0) + 1)}
          </Link>
          <i aria-hidden />
        </>
      )}
      <span className="turn-station" aria-current="page">
        <Plate code={sheet.headcode} tone="ink" />
      </span>
      {from === undefined ? null : (
        <Link
          href={`${base}/turns/${encodeURIComponent(from.agent_turn_id)}?step=${from.ordinal}`}
          className="turn-station ml-2 text-ink-2"
        >
          <Icon name="fork" size={13} />
          forked from <Plate code={from.headcode} /> at step {from.ordinal}
        </Link>
      )}
      {sheet.callees.length === 0 ? null : (
        <span className="turn-callees">
          <i aria-hidden />
          {sheet.callees.slice(0, 6).map((callee) => (
            <Link
              key={callee.agent_turn_id}
              href={`${base}/turns/${encodeURIComponent(callee.agent_turn_id)}`}
              className="turn-station"
              title={`${callee.profile_name} ${callee.headcode}: ${plainWords(callee.title)}`}
            >
              <Aspect status={callee.status} size={13} />
              <Plate code={callee.headcode} />
            </Link>
          ))}
          {sheet.children.length > 6 ? <span className="text-ink-3">6 of {sheet.children.length}</span> : null}
        </span>
      )}
    </nav>
  );
}
