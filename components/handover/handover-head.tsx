"use client";

// The head of a hand-over: from whom to whom, by which call, and its siblings in the same fork.
import { Button } from "@/components/ui/button";
import { formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Plate } from "@/components/ui/plate";
import { Clock } from "@/components/ui/time";
import type { HandoverSheet } from "@/server/contract/handover-diff";
import { primitiveWords, sideWords } from "./view/side-words";

export type HandoverHeadProps = {
  projectId: string;
  sheet: HandoverSheet;
  branchHref: (turn: string) => string;
  onRepack: () => void;
};

export function HandoverHead({ projectId, sheet, branchHref, onRepack }: HandoverHeadProps) {
  const { caller, callee, recipe, branches } = sheet;
  const base = `/p/${encodeURIComponent(projectId)}/turns`;
  const api = `/api/v1/projects/${encodeURIComponent(projectId)}/turns/${encodeURIComponent(callee.agent_turn_id)}`;
  const at = branches.findIndex(({ agent_turn_id }) => agent_turn_id === callee.agent_turn_id);
  return (
    <header className="handover-head">
      <div className="flex items-center gap-2">
        {caller === undefined ? null : (
          <>
            <Link href={`${base}/${encodeURIComponent(caller.agent_turn_id)}`} title={caller.title}>
              <Plate code={caller.headcode} size="lg" />
            </Link>
            <Icon name="right" size={18} className="text-ink-3" />
          </>
        )}
        <Link href={`${base}/${encodeURIComponent(callee.agent_turn_id)}`} title={callee.title}>
          <Plate code={callee.headcode} tone="ink" size="lg" />
        </Link>
      </div>
      <div className="handover-title">
        <h1 dir="auto" className="truncate text-h1 max-sm:whitespace-normal">
          {caller === undefined
            ? `What ${callee.profile_name} began with`
            : `${caller.is_human ? "A person" : caller.profile_name} handed over to ${callee.profile_name}`}
        </h1>
        <p className="flex flex-wrap gap-x-1.5 text-ink-2">
          <span>{primitiveWords[sheet.primitive]}</span>
          {at === -1 ? null : (
            <span>
              task {at + 1} of {formatNumber(branches.length)},
            </span>
          )}
          <span>
            at <Clock at={callee.created_at} />
          </span>
          {recipe === undefined ? null : (
            <span>
              recipe <span className="mono">{`${recipe.name}@${recipe.version}`}</span>
            </span>
          )}
          {caller === undefined ? null : <span className="text-ink-3">{sideWords[caller.side]}</span>}
        </p>
      </div>
      {branches.length > 1 ? (
        <nav aria-label="Branches of this fork" className="handover-branches">
          {branches.map((branch) => (
            <Link
              key={branch.agent_turn_id}
              href={branchHref(branch.agent_turn_id)}
              prefetch={false}
              aria-current={branch.agent_turn_id === callee.agent_turn_id ? "page" : undefined}
            >
              <Plate code={branch.headcode} tone="bare" />
            </Link>
          ))}
        </nav>
      ) : null}
      <Button
        icon="retry"
        className="max-sm:ml-auto"
        aria-disabled={sheet.has_receipt ? undefined : true}
        title={sheet.has_receipt ? undefined : NO_RECEIPT}
        aria-description={sheet.has_receipt ? undefined : NO_RECEIPT}
        onClick={() => {
          if (sheet.has_receipt) onRepack();
        }}
      >
        <span>
          Repack<span className="max-md:sr-only"> without running</span>
        </span>
      </Button>
      <a className="btn" href={`${api}/handover?limit=1000`} download={`handover-${callee.headcode}.json`}>
        <Icon name="download" size={15} />
        <span className="max-lg:sr-only">Download</span>
      </a>
    </header>
  );
}

const NO_RECEIPT = "How its context was packed is not recorded, so it cannot be packed again.";
