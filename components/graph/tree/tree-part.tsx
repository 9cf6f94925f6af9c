// The table of turns as a part that is fetched when it is first looked at, or while the yard rests: most people begin with the plan.
import { lazyPart } from "@/components/ui/lazy-part";
import { SkeletonRows } from "@/components/ui/skeleton";

export const loadTree = () => import("./tree-table").then((module) => module.TreeTable);

export const TreePart = lazyPart<object>(loadTree, {
  missing: "The table of turns could not be loaded",
  waiting: (
    <div className="min-h-0 flex-1 p-4">
      <SkeletonRows count={12} />
    </div>
  ),
});
