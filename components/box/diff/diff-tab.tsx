"use client";

// The tab Compare of a box: beside which box, and what is added, removed, rewritten or moved from there to here.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useRef } from "react";
import { BOX_DIFF_ROWS, BoxDiffView, BoxDiffWaiting } from "@/components/domain/box-diff-view";
import { diffMarks, diffNames, diffOrder } from "@/components/domain/box-diff-words";
import { VerdictBar } from "@/components/domain/verdict-bar";
import { useTRPC } from "@/components/trpc/client";
import { EmptyState } from "@/components/ui/empty-state";
import { useRowKeys } from "@/components/ui/use-row-keys";
import { DiffVerdict } from "@/server/contract/box-diff/box-diff";
import { PartnerField } from "./partner-field";

const FROM_MAX = 10_000_000;
const params = {
  /** The other box: the older side. */
  with: parseAsString,
  verdict: parseAsStringLiteral(DiffVerdict.options),
  from: parseAsInteger.withDefault(0),
};

export function DiffTab({ projectId, boxId }: { projectId: string; boxId: string }) {
  const trpc = useTRPC();
  const list = useRef<HTMLUListElement>(null);
  useRowKeys(list, "Comparison", "card");
  const [asked, setAsked] = useQueryStates(params);
  const partners = useQuery(trpc.debugger.partners.queryOptions({ project_id: projectId, box_id: boxId }));
  // Without a choice, what comes first: what the caller had, or for what was written, what the same work came to another time.
  const other = asked.with || (partners.data?.partners[0]?.boxes[0]?.box_id ?? null);
  const diff = useQuery({
    ...trpc.debugger.diff.queryOptions({
      ...{ project_id: projectId, of: "boxes" as const, a: other ?? "", b: boxId },
      ...{ from: Math.min(FROM_MAX, Math.max(0, asked.from)), limit: BOX_DIFF_ROWS },
      ...(asked.verdict && { verdict: asked.verdict }),
    }),
    enabled: other !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <div className="diff-tab">
      <div className="diff-head">
        <PartnerField
          partners={partners.data?.partners}
          error={partners.error?.message ?? null}
          value={other}
          onChange={(next) => void setAsked({ with: next, verdict: null, from: null })}
        />
        {diff.data === undefined ? null : (
          <VerdictBar
            order={diffOrder}
            names={diffNames}
            sign={(one) => (
              <span className="diff-mark" data-verdict={one} aria-hidden>
                {diffMarks[one]}
              </span>
            )}
            weights={diff.data.verdicts}
            value={asked.verdict}
            onChange={(verdict) => void setAsked({ verdict, from: null })}
          />
        )}
      </div>
      {other === null ? (
        partners.data === undefined ? (
          <BoxDiffWaiting error={partners.error?.message} />
        ) : (
          <EmptyState
            title="Choose a box to compare with"
            cause="This box belongs to no turn with a caller, a step before or a branch beside it. Enter the id of any box of the project."
          />
        )
      ) : diff.data === undefined ? (
        <BoxDiffWaiting error={diff.error?.message} />
      ) : (
        <BoxDiffView projectId={projectId} diff={diff.data} list={list} onFrom={(from) => void setAsked({ from })} />
      )}
    </div>
  );
}
