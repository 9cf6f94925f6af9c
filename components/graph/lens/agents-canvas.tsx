"use client";

// The agents on the ground of the plan: it pans and zooms with the same keys and buttons. What is off the screen is not drawn.
import { ReactFlow, useStore, ViewportPortal } from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { type KeyboardEvent, useEffect, useMemo, useRef } from "react";
import { useGroundDots } from "@/components/domain/use-ground-dots";
import { type Detail, detailAt, firstView, growing, revealed, ZOOM_MAX, ZOOM_MIN } from "@/components/ground/viewport";
import { formatCompact, formatCount, formatNumber } from "@/components/ui/format";
import type { RunAgents } from "@/server/contract/answers/run-agents";
import { useDrawnArea } from "../canvas/use-drawn-area";
import { ViewKeys } from "../canvas/view-keys";
import { useView, ViewProvider } from "../canvas/view-provider";
import { ZoomBar } from "../canvas/zoom-bar";
import { LivePill } from "../live/live-pill";
import { AgentNodes } from "./agent-nodes";
import { AgentTracks } from "./agent-tracks";
import type { AgentsView } from "./agents-fold";
import type { AgentsLayout } from "./agents-layout";
import { useAgentsView, useChosenAgent } from "./use-agents";
import { walkAgents } from "./walk-agents";

type Props = { run: RunAgents; view: AgentsView; layout: AgentsLayout };

export function AgentsCanvas(props: Props) {
  const { view, layout } = props;
  const { agentId } = useChosenAgent();
  const ground = useMemo(
    () => ({
      bounds: { x: 0, y: 0, w: layout.w, h: layout.h },
      boxOf: (id: string) => layout.places.get(view.standOf(id)),
    }),
    [layout, view],
  );
  return (
    <ViewProvider ground={ground}>
      <Canvas {...props} />
      <ViewKeys ofId={agentId} />
    </ViewProvider>
  );
}

function Canvas({ run, view, layout }: Props) {
  const ref = useRef<HTMLDivElement>(null);
  const wantsFocus = useRef(false);
  const { agentId, choose } = useChosenAgent();
  const { fold } = useAgentsView();
  const { glide, getSize, getView, hold } = useView();
  const chosen = agentId === null ? null : view.standOf(agentId);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    const kind = event.key === "z" && chosen !== null ? view.kindOf(chosen) : undefined;
    const to = walkAgents(layout, chosen, event.key);
    if (to === null && !kind) return;
    event.preventDefault();
    event.stopPropagation();
    wantsFocus.current = true;
    if (kind) fold(kind.key, view.isFolded(kind.key), kind.key);
    else if (to !== null) choose(to);
  };
  // Once it is drawn: the next agent may be off the screen, or have stood in a node with others.
  useEffect(() => {
    if (!wantsFocus.current || chosen === null) return;
    const place = layout.places.get(chosen);
    const node = ref.current?.querySelector<HTMLElement>(`[data-agent="${CSS.escape(chosen)}"]`);
    if (!place || !node) return;
    wantsFocus.current = false;
    node.focus({ preventScroll: true });
    glide(revealed(place, getSize(), getView()));
  }, [chosen, layout, glide, getSize, getView]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its agents are buttons; the arrows go from one to the next
    <div ref={ref} className="yard-canvas agents-lens" onKeyDown={onKeyDown}>
      <ReactFlow
        nodes={[]}
        minZoom={ZOOM_MIN}
        maxZoom={ZOOM_MAX}
        nodesFocusable={false}
        disableKeyboardA11y
        panOnScroll
        zoomOnDoubleClick={false}
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        panActivationKeyCode={null}
        attributionPosition="bottom-left"
        onMoveStart={(event) => {
          if (event !== null) hold();
        }}
        onPaneClick={() => choose(null)}
      >
        <Ground view={view} layout={layout} chosen={chosen} />
        <Figures run={run} />
        <LivePill className="yard-float top-[14px] right-[14px]" />
        <ZoomBar />
      </ReactFlow>
    </div>
  );
}

function Ground({ view, layout, chosen }: Omit<Props, "run"> & { chosen: string | null }) {
  useGroundDots();
  const { jump, getSize } = useView();
  const hasSize = useStore((state) => state.width > 0);
  const detail: Detail = useStore((state) => detailAt(state.transform[2]));
  const area = useDrawnArea("always");
  const hasBegun = useRef(false);
  useEffect(() => {
    if (!hasSize || hasBegun.current) return;
    hasBegun.current = true;
    const bounds = { x: 0, y: 0, w: layout.w, h: layout.h };
    const whole = firstView(bounds, getSize(), "first");
    const begun = growing(bounds, getSize());
    // From the upper left, as the plan does, where all of it fits.
    jump(whole.zoom === begun.zoom ? begun : whole);
  }, [hasSize, layout, jump, getSize]);
  return (
    <ViewportPortal>
      <AgentTracks view={view} layout={layout} agentId={chosen} detail={detail} />
      <AgentNodes view={view} layout={layout} isLight={detail === "block"} area={area ?? undefined} />
    </ViewportPortal>
  );
}

/** As the run's own figures count them: a person is no agent. */
const peopleAside = (all: number, people: number): string =>
  people === 0
    ? formatCount(all, "agent")
    : `${formatCount(all - people, "agent")}, ${people === 1 ? "1 person" : `${formatNumber(people)} people`}`;

function Figures({ run }: { run: RunAgents }) {
  const tokens = run.delegations.reduce((sum, one) => sum + one.tokens, 0);
  return (
    <>
      <p className="yard-float yard-stats" role="status">
        <span className="px-1 text-ink-2">
          {run.agents.length < run.agents_total
            ? `the first ${formatNumber(run.agents.length)} of ${formatNumber(run.agents_total)} agents`
            : peopleAside(run.agents_total, run.agents.filter(({ is_human }) => is_human).length)}
        </span>
        <span className="px-1 text-ink-2">{formatCompact(tokens)} tokens handed over</span>
        {run.is_partial ? <span className="px-1 text-ink-2">of the newest turns</span> : null}
      </p>
      <FillKey />
    </>
  );
}

/** What the colours mean: the fullest request as a share of the window. Where the plan has its minimap: above, the pill of an earlier moment lay on it. */
function FillKey() {
  return (
    <p className="yard-float agent-key right-[14px] bottom-[14px] text-ink-2">
      Fullest request, of the window
      {["below 20%", "40", "60", "80", "and above"].map((words, step) => (
        <span key={words} data-fill={step}>
          <i aria-hidden />
          {words}
        </span>
      ))}
    </p>
  );
}
