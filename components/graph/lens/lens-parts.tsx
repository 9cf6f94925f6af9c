// The lenses as parts that are fetched when they are first looked at: most people begin with who called whom.
import { lazyPart } from "@/components/ui/lazy-part";
import { SkeletonRows } from "@/components/ui/skeleton";

export const loadFlow = () => import("./flow-layer").then((module) => module.FlowLayer);
const loadPanel = () => import("./flow-panel").then((module) => module.FlowPanel);

const rows = (
  <div className="min-h-0 flex-1 p-4">
    <SkeletonRows count={8} />
  </div>
);

/** Nothing stands in its place meanwhile: the plan is there. */
export const FlowLayerPart = lazyPart<{ hoveredId: string | null }>(loadFlow);
export const FlowFiguresPart = lazyPart<object>(() => import("./flow-figures").then((module) => module.FlowFigures));
export const FlowPanelPart = lazyPart<object>(loadPanel, {
  missing: "The context flow could not be loaded",
  waiting: rows,
});
export const FlowListPart = lazyPart<object>(() => import("./flow-list").then((module) => module.FlowList), {
  missing: "The context flow could not be loaded",
  waiting: rows,
});
export const AgentPanelPart = lazyPart<object>(() => import("./agent-panel").then((module) => module.AgentPanel), {
  missing: "The agent could not be loaded",
  waiting: rows,
});
export const AgentsPart = lazyPart<{ place: "desk" | "phone" }>(
  () => import("./agents-lens").then((module) => module.AgentsLens),
  {
    missing: "The agents of the run could not be loaded",
    waiting: rows,
  },
);
