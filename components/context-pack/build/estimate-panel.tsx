"use client";

// What the pack would be, beside the form: its weight against the budget, what would be cut, warnings, and the button.
import type { ReactNode } from "react";
import { formatNumber } from "@/components/ui/format";
import { Skeleton } from "@/components/ui/skeleton";
import { PACK_LIMITS, type PackProfile } from "@/server/contract/context-pack/sidecar";
import { PackBar } from "../pack-bar";
import { warningWords } from "../view/words";
import type { Estimated } from "./use-estimate";

export type EstimatePanelProps = {
  /** False while the form cannot be asked about. */
  isAsked: boolean;
  estimated: Estimated;
  profile: PackProfile;
  /** Of the form as a whole. */
  fault?: string;
  action: ReactNode;
};

export function EstimatePanel({ isAsked, estimated, profile, fault, action }: EstimatePanelProps) {
  const { estimate, isOld, failure } = estimated;
  return (
    <aside aria-label="What it would be" className="cpack-estimate">
      <h2 className="font-semibold">What it would be</h2>
      <div className="cpack-figures" aria-busy={isAsked && isOld} data-old={isOld || undefined}>
        {estimate !== null ? (
          <Figures estimate={estimate} />
        ) : isAsked && isOld ? (
          <div role="status" aria-label="Estimating" className="flex flex-col gap-3 pt-3">
            <Skeleton className="h-8 w-40" />
            <Skeleton className="h-4 w-full" />
            <Skeleton className="h-3 w-3/5" />
          </div>
        ) : (
          <p className="pt-2 text-ink-3">
            {isAsked
              ? "It cannot be built as it is. See the fields marked."
              : `Write a goal to see what the pack weighs. The profile ${profile} allows ${formatNumber(PACK_LIMITS[profile])} tokens.`}
          </p>
        )}
      </div>
      {failure === null ? null : <p className="text-st-failed">The estimate is old. {failure}</p>}
      {fault === undefined ? null : (
        <p role="alert" className="text-st-failed">
          {fault}
        </p>
      )}
      {action}
    </aside>
  );
}

function Figures({
  estimate: { estimate, found, limit, counts, warnings },
}: {
  estimate: NonNullable<Estimated["estimate"]>;
}) {
  return (
    <>
      <p className="flex items-baseline gap-2 sm:pt-2">
        <span className="cpack-number">{formatNumber(estimate)}</span>
        <span className="text-ink-2">tokens, {formatNumber(limit - estimate)} to spare</span>
      </p>
      <div className="py-3 max-sm:py-2">
        <PackBar record={{ estimate, found, limit }} />
        <p className="mt-1.5 flex justify-between max-sm:hidden text-ink-3 text-note">
          <span>budget {formatNumber(limit)}</span>
          <span>found {formatNumber(found)}</span>
        </p>
      </div>
      <p>
        {formatNumber(counts.whole)} whole, {formatNumber(counts.shortened)} shortened, {formatNumber(counts.left_out)}{" "}
        left out{counts.redactions > 0 ? `, ${formatNumber(counts.redactions)} redacted` : ""}.
      </p>
      {warnings.length === 0 ? null : (
        <ul className="mt-2 flex flex-col gap-0.5 text-ink-2">
          {warnings.map((warning) => {
            const { what, of } = warningWords(warning);
            return (
              <li key={warning}>
                {what}
                {of === "" ? "" : ": "}
                <span className="mono break-all text-ink-3">{of}</span>
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}
