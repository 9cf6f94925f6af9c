// The lanes of agents as a part that is fetched when it is first looked at.
import { lazyPart } from "@/components/ui/lazy-part";
import { SkeletonRows } from "@/components/ui/skeleton";

export const LanesPart = lazyPart<object>(() => import("./swim-lanes").then((module) => module.SwimLanes), {
  missing: "The lanes could not be loaded",
  waiting: (
    <div className="min-h-0 flex-1 p-4">
      <SkeletonRows count={12} />
    </div>
  ),
});
