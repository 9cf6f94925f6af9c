"use client";

// The tab Compare of a box: beside which box, and what is added, removed, rewritten or moved from there to here.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { VerdictBar } from "@/components/domain/verdict-bar";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatNumber } from "@/components/ui/format";
import { SkeletonRows } from "@/components/ui/skeleton";
import { type BoxDiff, DiffVerdict } from "@/server/contract/box-diff/box-diff";
import { DiffRows } from "./diff-rows";
import { diffMarks, diffNames, diffOrder } from "./diff-words";
import { PartnerField } from "./partner-field";
import "./diff.css";

const ROWS = 200;
const params = {
  /** The other box: the older side. */
  with: parseAsString,
  verdict: parseAsStringLiteral(DiffVerdict.options),
  from: parseAsInteger.withDefault(0),
};

export function DiffTab({ projectId, boxId }: { projectId: string; boxId: string }) {
  const trpc = useTRPC();
  const [asked, setAsked] = useQueryStates(params);
  const partners = useQuery(trpc.debugger.partners.queryOptions({ project_id: projectId, box_id: boxId }));
  // Without a choice, what comes first: what the caller had.
  const other = asked.with ?? partners.data?.partners[0]?.boxes[0]?.box_id ?? null;
  const diff = useQuery({
    ...trpc.debugger.diff.queryOptions({
      ...{ project_id: projectId, of: "boxes" as const, a: other ?? "", b: boxId },
      ...{ from: Math.max(0, asked.from), limit: ROWS },
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
          <Waiting error={partners.error?.message} />
        ) : (
          <EmptyState
            title="Choose a box to compare with"
            cause="This box belongs to no turn with a caller, a step before or a branch beside it. Enter the id of any box of the project."
          />
        )
      ) : diff.data === undefined ? (
        <Waiting error={diff.error?.message} />
      ) : (
        <Known projectId={projectId} diff={diff.data} onFrom={(from) => void setAsked({ from })} />
      )}
    </div>
  );
}

const Waiting = ({ error }: { error: string | undefined }) =>
  error === undefined ? (
    <SkeletonRows count={10} rowHeight={34} label="Loading the comparison" />
  ) : (
    <EmptyState title="Not compared" cause={error} />
  );

function Known({ projectId, diff, onFrom }: { projectId: string; diff: BoxDiff; onFrom: (from: number) => void }) {
  const { rows, rows_total, from, unpaired } = diff;
  return (
    <>
      {unpaired === 0 ? null : (
        <p className="diff-note">
          {formatNumber(unpaired)} cards were not looked through for rewritten ones: there are too many.
        </p>
      )}
      {rows.length === 0 ? (
        <EmptyState title="No such cards" cause="The other filters have the cards." />
      ) : (
        <DiffRows projectId={projectId} diff={diff} />
      )}
      {rows_total > rows.length ? (
        <nav aria-label="Pages of cards" className="diff-pages">
          <Button disabled={from === 0} onClick={() => onFrom(Math.max(0, from - ROWS))}>
            Previous
          </Button>
          <span>
            {formatNumber(from + 1)} to {formatNumber(from + rows.length)} of {formatNumber(rows_total)} cards
          </span>
          <Button disabled={from + rows.length >= rows_total} onClick={() => onFrom(from + ROWS)}>
            Next
          </Button>
        </nav>
      ) : null}
    </>
  );
}
