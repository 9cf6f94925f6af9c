"use client";

// The head of two runs: which they are, another in the place of each, and where they part.
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { plainWords } from "@/components/ui/plain-words";
import { Popover } from "@/components/ui/popover";
import { sentence } from "@/components/ui/sentence";
import { Ago } from "@/components/ui/time";
import type { ComparedRun, RunComparison } from "@/server/contract/run-compare/run-comparison";
import { RunPicker } from "./run-picker";

export type CompareHeadProps = {
  projectId: string;
  comparison: RunComparison;
  onChoose: (side: "a" | "b", root_turn_id: string) => void;
  onSwap: () => void;
  /** Shows the row of the turn where they part. */
  onParting: () => void;
};

export function CompareHead({ projectId, comparison, onChoose, onSwap, onParting }: CompareHeadProps) {
  const { a, b, parts } = comparison;
  const api = `/api/v1/projects/${encodeURIComponent(projectId)}/runs/${encodeURIComponent(a.root_turn_id)}`;
  return (
    <header className="compare-head">
      <h1 className="sr-only">
        Run {formatNumber(a.number)} compared with run {formatNumber(b.number)}
      </h1>
      <Run projectId={projectId} run={a} other={b.root_turn_id} onChoose={(id) => onChoose("a", id)} />
      <Button title="Swap the two runs" keys="x" onClick={onSwap}>
        Swap
      </Button>
      <Run projectId={projectId} run={b} other={a.root_turn_id} onChoose={(id) => onChoose("b", id)} />
      <span className="flex-1" />
      {parts === undefined ? (
        <p className="compare-parts" role="status">
          Nothing that is stored of them differs, but for ids.
        </p>
      ) : (
        <button type="button" className="compare-parts" onClick={onParting} title="Show this turn (p)">
          <Icon name="diff" size={15} />
          <span>{sentence(parts.says)}</span>
        </button>
      )}
      <a
        className="btn"
        href={`${api}/compare/${encodeURIComponent(b.root_turn_id)}?limit=1000`}
        download={`compare-${a.number}-${b.number}.json`}
      >
        <Icon name="download" size={15} />
        <span className="max-lg:sr-only">Download</span>
      </a>
    </header>
  );
}

type RunProps = { projectId: string; run: ComparedRun; other: string; onChoose: (root_turn_id: string) => void };

function Run({ projectId, run, other, onChoose }: RunProps) {
  const [isOpen, setIsOpen] = useState(false);
  const name = `Run ${formatNumber(run.number)}`;
  return (
    <div className="compare-run">
      <p className="flex items-baseline gap-2">
        <Link
          className="flex-none text-title hover:underline"
          href={`/p/${encodeURIComponent(projectId)}?run=${encodeURIComponent(run.root_turn_id)}`}
        >
          {name}
        </Link>
        <Popover
          label={`Choose another run than ${name}`}
          isOpen={isOpen}
          onOpenChange={setIsOpen}
          className="w-[min(460px,calc(100vw-16px))]"
          trigger={
            <button
              type="button"
              className="btn"
              data-size="sm"
              data-variant="ghost"
              aria-label={`Choose another run than ${name}`}
            >
              Choose another
              <Icon name="down" size={12} />
            </button>
          }
        >
          <RunPicker
            projectId={projectId}
            without={other}
            hasFocus
            onPick={(id) => {
              setIsOpen(false);
              onChoose(id);
            }}
          />
        </Popover>
        <Ago at={run.created_at} className="flex-none text-ink-3 max-sm:hidden" />
      </p>
      <p dir="auto" className="truncate text-ink-2" title={run.title}>
        {plainWords(run.title)}
      </p>
    </div>
  );
}
