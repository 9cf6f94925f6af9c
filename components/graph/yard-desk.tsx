"use client";

// The yard on a desk: filter, canvas and timeline in one column, the inspector in the other.
import { useQueryStates } from "nuqs";
import type { KeyboardEvent, ReactNode, RefObject } from "react";
import { lazyPart, useFetchAtRest } from "@/components/ui/lazy-part";
import { GraphCanvas } from "./canvas/graph-canvas";
import { Minimap } from "./canvas/minimap";
import { OutOfView } from "./canvas/out-of-view";
import { FINE_TRACKS_MAX } from "./canvas/track-layer";
import { ViewKeys } from "./canvas/view-keys";
import { ViewProvider } from "./canvas/view-provider";
import { PlanTools, ZoomBar } from "./canvas/zoom-bar";
import { FilterBar } from "./filter-bar";
import type { FoldPanelProps } from "./fold-panel";
import { LanesPart } from "./lanes/lanes-part";
import { AgentPanelPart, AgentsPart, FlowFiguresPart, FlowPanelPart, loadFlow } from "./lens/lens-parts";
import { LimitStrip } from "./limit-strip";
import { LivePill } from "./live/live-pill";
import { type Step, walk } from "./plan/walk";
import { RunFigures } from "./run-figures";
import { RunPanel } from "./run-panel";
import { SelectionSpoken } from "./selection-spoken";
import { TimelinePart } from "./timeline/timeline-part";
import { DeskTour } from "./tour/desk-tour";
import { loadTree, TreePart } from "./tree/tree-part";
import { useInspected } from "./use-inspected";
import { useFold, useTopology, useYard } from "./yard-context";
import type { InspectorSlot } from "./yard-slots";
import { yardParams } from "./yard-url";
import { useOtherView } from "./yard-views";

/** Only a wagon that is selected opens it. */
const FoldPanel = lazyPart<FoldPanelProps>(() => import("./fold-panel").then((module) => module.FoldPanel), {
  missing: "What the wagon holds could not be loaded",
});

const nearParts = [loadTree, loadFlow];

export type YardDeskProps = {
  inspector: (slot: InspectorSlot) => ReactNode;
  inputRef: RefObject<HTMLInputElement | null>;
  totalTurns: number;
};

export function YardDesk({ inspector, inputRef, totalTurns }: YardDeskProps) {
  const inspected = useInspected("panel");
  const { selectedId, lens, isThen } = useYard();
  const fold = useFold(inspected ? undefined : (selectedId ?? undefined));
  const view = useOtherView();
  const isFlow = lens === "flow" && view === null;
  const [{ of_agent }] = useQueryStates(yardParams);
  const isAgent = lens === "agents" && view === null && of_agent !== null;
  useFetchAtRest(nearParts);
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_372px] max-[1180px]:grid-cols-[minmax(0,1fr)_300px]">
      <div className="flex min-h-0 min-w-0 flex-col">
        <FilterBar inputRef={inputRef} totalTurns={totalTurns} />
        {view === "tree" ? (
          <>
            {isThen ? <PillBar /> : null}
            <TreePart />
          </>
        ) : view === "lanes" ? (
          <>
            <div className="relative flex min-h-0 flex-1 flex-col">
              <LanesPart />
              <LivePill className="yard-float right-[14px] bottom-[14px]" />
            </div>
            <TimelinePart />
          </>
        ) : lens === "agents" ? (
          <>
            <AgentsPart place="desk" />
            <TimelinePart />
          </>
        ) : (
          <>
            <ViewProvider>
              <div className="relative flex min-h-0 flex-1 flex-col">
                <Canvas />
                <DeskTour />
              </div>
              <ViewKeys />
            </ViewProvider>
            <TimelinePart />
          </>
        )}
      </div>
      <aside
        // In here the arrows scroll; everywhere else they walk the yard.
        onKeyDown={(event) => {
          if (event.key in arrows) event.stopPropagation();
        }}
        aria-label={
          isAgent
            ? "The agent"
            : isFlow
              ? "The context flow"
              : inspected
                ? `Inspector of ${inspected.turn.headcode}`
                : fold
                  ? "The folded wagon"
                  : "The run"
        }
        className="flex min-h-0 min-w-0 flex-col border-line border-l bg-panel"
      >
        {isAgent ? (
          <AgentPanelPart />
        ) : isFlow ? (
          <FlowPanelPart />
        ) : inspected ? (
          inspector(inspected)
        ) : fold ? (
          <FoldPanel fold={fold} />
        ) : (
          <RunPanel />
        )}
      </aside>
      <SelectionSpoken />
    </div>
  );
}

/** What has no corner for it says above itself which moment it shows. */
function PillBar() {
  return (
    <div className="lanes-bar">
      <LivePill />
    </div>
  );
}

/** The focus stays on this frame: the wagon under it may leave the document when the view moves. */
function Canvas() {
  const { model, matches, selectedId, select, lens } = useYard();
  const { order, routes } = useTopology();

  function onKeyDown(event: KeyboardEvent) {
    const step = arrows[event.key];
    if (step === undefined || event.target !== event.currentTarget) return;
    event.preventDefault();
    const next = walk({ ...model.getTopology(), matches }, selectedId, step);
    if (next !== null) select(next);
  }

  return (
    <div
      role="application"
      aria-label={`Track plan of ${order.length} turns. Use the arrow keys to move and Enter to open. The timeline lists the same turns.`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes the keys itself
      tabIndex={0}
      className="yard-canvas"
      data-lens={lens ?? undefined}
      data-calm={routes.size > FINE_TRACKS_MAX ? "" : undefined}
      onKeyDown={onKeyDown}
    >
      <GraphCanvas>
        {lens === "flow" ? <FlowFiguresPart /> : <RunFigures />}
        <LimitStrip />
        <LivePill className="yard-float top-[14px] right-[14px]" />
        <ZoomBar>
          <PlanTools />
        </ZoomBar>
        <Minimap />
        <OutOfView />
      </GraphCanvas>
    </div>
  );
}

const arrows: Record<string, Step> = { ArrowDown: "down", ArrowUp: "up", ArrowLeft: "left", ArrowRight: "right" };
