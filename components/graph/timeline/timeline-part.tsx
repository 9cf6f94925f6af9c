// The timeline as a part that comes after the plan: one looks at the tracks first.
import { lazyPart } from "@/components/ui/lazy-part";

export const TimelinePart = lazyPart<object>(() => import("./timeline").then((module) => module.Timeline), {
  missing: "The timeline could not be loaded",
  waiting: <section className="yard-timeline" aria-label="Timeline" aria-busy="true" />,
});
