"use client";

// A hand-over, card by card: what the caller had, what was packed, what the callee saw, and what became of each card between.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useQueryStates } from "nuqs";
import { Failure } from "@/components/domain/failure";
import { RowPages } from "@/components/domain/row-pages";
import { VerdictBar } from "@/components/domain/verdict-bar";
import { useTRPC } from "@/components/trpc/client";
import { patientForEver } from "@/components/trpc/patient";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { Segmented } from "@/components/ui/segmented";
import { useShortcut } from "@/components/ui/shortcuts";
import { useTabTitle } from "@/components/ui/tab-title";
import { useIsSettled } from "@/components/ui/use-is-settled";
import type { HandoverSheet } from "@/server/contract/handover-diff";
import { HandoverDetail } from "./handover-detail";
import { HandoverHead } from "./handover-head";
import { handoverParams } from "./handover-params";
import { HANDOVER_ROWS, handoverQuery } from "./handover-query";
import { HandoverSkeleton } from "./handover-skeleton";
import { HandoverTable } from "./handover-table";
import { RepackDialog } from "./repack-dialog";
import { VerdictSign } from "./verdict-sign";
import { cardOf } from "./view/aligned-rows";
import { verdictNames, verdictOrder, verdictSentences } from "./view/verdict-words";
import "./handover.css";

export type HandoverScreenProps = { projectId: string; agentTurnId: string };

export function HandoverScreen({ projectId, agentTurnId }: HandoverScreenProps) {
  const trpc = useTRPC();
  const [{ verdict, from }] = useQueryStates(handoverParams);
  const read = useQuery({
    ...trpc.debugger.handover.queryOptions(handoverQuery(projectId, agentTurnId, { verdict, from }), patientForEver),
    placeholderData: keepPreviousData,
  });
  if (read.data) return <Loaded projectId={projectId} sheet={read.data} />;
  if (!read.error) return <HandoverSkeleton />;
  return (
    <Failure
      error={read.error}
      what="turn"
      name={agentTurnId}
      onRetry={read.refetch}
      way={
        <Link className="btn" href={`/p/${encodeURIComponent(projectId)}`}>
          To the yard
        </Link>
      }
    />
  );
}

const group = "Hand-over";

function Loaded({ projectId, sheet }: { projectId: string; sheet: HandoverSheet }) {
  const router = useRouter();
  const [{ verdict, order, card, repack }, setParams] = useQueryStates(handoverParams);
  const { caller, callee, branches, rows, rows_total } = sheet;
  const turns = `/p/${encodeURIComponent(projectId)}/turns`;
  const branchHref = (turn: string) =>
    `${turns}/${encodeURIComponent(turn)}/handover${verdict === null ? "" : `?verdict=${verdict}`}`;
  const at = branches.findIndex(({ agent_turn_id }) => agent_turn_id === callee.agent_turn_id);
  const beside = (by: 1 | -1) => branches[at + by]?.agent_turn_id;
  const go = (turn: string | undefined) => {
    if (turn !== undefined) router.push(branchHref(turn));
  };
  const here = `${turns}/${encodeURIComponent(callee.agent_turn_id)}`;
  useShortcut("]", "Next branch", () => go(beside(1)), { group, isEnabled: beside(1) !== undefined });
  useShortcut("[", "Previous branch", () => go(beside(-1)), { group, isEnabled: at > 0 });
  useShortcut("i", "Hand-over to the caller", () => go(caller?.agent_turn_id), {
    group,
    isEnabled: caller !== undefined && !caller.is_human,
  });
  useShortcut("esc", "Back to the turn", () => router.push(here), { group });
  const isSettled = useIsSettled();
  useTabTitle(`Hand-over to ${callee.headcode} ${callee.profile_name}`);
  const chosen = rows.find((row) => cardOf(row)?.card_id === card);
  return (
    <div className="handover-screen">
      <HandoverHead
        projectId={projectId}
        sheet={sheet}
        branchHref={branchHref}
        onRepack={() => void setParams({ repack: true })}
      />
      <div className="handover-bar">
        <VerdictBar
          order={verdictOrder}
          names={verdictNames}
          sentences={verdictSentences}
          sign={(one) => <VerdictSign verdict={one} isNamed />}
          weights={sheet.verdicts}
          value={verdict}
          onChange={(next) => void setParams({ verdict: next, from: null })}
        />
        <span className="flex-1" />
        <span className="text-ink-3 max-lg:hidden">Line weight shows tokens</span>
        <Segmented
          label="Order"
          value={order}
          onChange={(next) => void setParams({ order: next })}
          choices={[
            { value: "aligned", label: "Aligned" },
            { value: "reading", label: "Reading order" },
          ]}
        />
      </div>
      {rows_total === 0 ? (
        <EmptyState
          title={verdict === null ? "Empty hand-over" : `Nothing was ${verdictNames[verdict].toLowerCase()}`}
          cause={verdict === null ? "The caller had no cards, and gave none." : "The other filters have the cards."}
        />
      ) : rows.length === 0 ? null : (
        <HandoverTable sheet={sheet} order={order} card={card} onCard={(next) => void setParams({ card: next })} />
      )}
      <RowPages
        noun="card"
        {...{ from: sheet.from, shown: rows.length, total: rows_total, size: HANDOVER_ROWS }}
        onFrom={(next) => void setParams({ from: next })}
      />
      <HandoverDetail projectId={projectId} row={chosen} />
      {repack && sheet.has_receipt && isSettled ? (
        <RepackDialog
          projectId={projectId}
          sheet={sheet}
          onClose={() => void setParams({ repack: null, recipe: null })}
        />
      ) : null}
    </div>
  );
}
