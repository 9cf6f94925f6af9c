"use client";

// The yard: one run, or all of them, as a track plan, as time, and one turn at a time. Owns what is shared between them.
import { useRouter } from "next/navigation";
import { useQueryStates } from "nuqs";
import { type ReactNode, useCallback, useMemo, useRef } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { filterTurns } from "./filter-turns";
import { useLivePicture } from "./live/use-live-picture";
import { PhoneYard } from "./phone/phone-yard";
import { useIsPhone } from "./phone/use-is-phone";
import { toggled } from "./plan/folds";
import { useModel } from "./plan/use-model";
import { useLiveState, type Yard, YardContext } from "./yard-context";
import { YardDesk } from "./yard-desk";
import { YardHeading } from "./yard-heading";
import { YardKeys } from "./yard-keys";
import { YardSkeleton } from "./yard-skeleton";
import type { ConnectionSlot, InspectorSlot } from "./yard-slots";
import { yardParams } from "./yard-url";

export type YardScreenProps = {
  projectId: string;
  inspector: (slot: InspectorSlot) => ReactNode;
  /** Says that the stream is cut. */
  connection: (slot: ConnectionSlot) => ReactNode;
  /** For a project without turns. */
  empty: ReactNode;
};

export function YardScreen({ projectId, inspector, connection, empty }: YardScreenProps) {
  const router = useRouter();
  const [params, setParams] = useQueryStates(yardParams);
  const isPhone = useIsPhone();
  const inputRef = useRef<HTMLInputElement>(null);
  const { run, limit } = params;
  const { live, rootTurnId, totalTurns, error, retry } = useLivePicture({ projectId, run, limit });
  const { status, since } = useLiveState(live);
  const { model, turns } = useModel(live, rootTurnId, params.fold);

  const select = useCallback((turn: string | null) => void setParams({ turn }), [setParams]);
  const openBox = useCallback(
    (boxId: string) => router.push(`/p/${encodeURIComponent(projectId)}/boxes/${encodeURIComponent(boxId)}`),
    [router, projectId],
  );
  const openTurn = useCallback(
    (id: string) => router.push(`/p/${encodeURIComponent(projectId)}/turns/${encodeURIComponent(id)}`),
    [router, projectId],
  );
  const toggleFold = useCallback(
    (batchId: string) => {
      const batch = live.getPicture().batch.get(batchId);
      if (batch) void setParams(({ fold }) => ({ fold: toggled(fold, batch) }));
    },
    [live, setParams],
  );
  const matches = useMemo(
    () =>
      filterTurns(turns, {
        q: params.q,
        statuses: params.status,
        batchOf: (id) => model.getBatches().get(id),
      }),
    [turns, model, params.q, params.status],
  );
  // A link may name a turn that this scope does not hold; nothing is selected then, and the address stays as it was.
  const selectedId = turns.some((turn) => turn.agent_turn_id === params.turn) ? params.turn : null;
  const yard = useMemo<Yard>(
    () => ({ projectId, live, model, selectedId, select, matches, openBox, openTurn, folds: params.fold, toggleFold }),
    [projectId, live, model, selectedId, select, matches, openBox, openTurn, params.fold, toggleFold],
  );

  if (error !== null && turns.length === 0)
    return (
      <EmptyState
        size="page"
        title="The yard could not be loaded"
        cause={error}
        remedy={
          <Button icon="retry" onClick={retry}>
            Try again
          </Button>
        }
      />
    );
  if (totalTurns === undefined && turns.length === 0) return <YardSkeleton />;
  if (rootTurnId === undefined) return empty;
  if (turns.length === 0 && totalTurns === 0)
    return (
      <EmptyState
        size="page"
        title="Nothing here"
        cause="This run has no turns in this project. It was deleted, or the link is for another project."
        remedy={<Button onClick={() => void setParams({ run: null, turn: null })}>Show the newest run</Button>}
      />
    );
  return (
    <YardContext value={yard}>
      <YardHeading />
      {isPhone ? (
        <PhoneYard inspector={inspector} inputRef={inputRef} totalTurns={totalTurns ?? turns.length} />
      ) : (
        <YardDesk inspector={inspector} inputRef={inputRef} totalTurns={totalTurns ?? turns.length} />
      )}
      <YardKeys />
      {connection({ status, since })}
    </YardContext>
  );
}
