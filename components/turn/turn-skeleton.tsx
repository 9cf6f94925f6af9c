// The turn's page while it is on its way: the heights of the page, so that nothing jumps when it comes.
import { Skeleton } from "@/components/ui/skeleton";
import "./step.css";
import "./turn-page.css";

export function TurnSkeleton() {
  return (
    <div role="status" aria-label="Loading the turn" className="turn-screen">
      <div className="turn-head">
        <Skeleton className="h-[26px] w-14" />
        <div>
          <Skeleton className="mb-2 h-3.5 w-44" />
          <Skeleton className="h-2.5 w-60" />
        </div>
      </div>
      <div className="turn-body">
        <div className="turn-main">
          <div className="turn-chain">
            <Skeleton className="h-4 w-64" />
          </div>
          <div className="falls">
            <div className="falls-columns falls-axis" />
            {[0, 1, 2].map((row) => (
              <div key={row} className="falls-row falls-columns">
                <Skeleton className="h-2.5 w-28" />
                <Skeleton className="h-2 w-1/3" />
              </div>
            ))}
          </div>
          <div className="step-columns">
            {[0, 1].map((column) => (
              <div key={column} className="step-column">
                <div className="step-bar" />
                {[0, 1, 2].map((row) => (
                  <div key={row} className="px-4 py-3">
                    <Skeleton className="h-2.5 w-2/5" />
                    <Skeleton className="mt-2.5 h-2.5 w-4/5" />
                  </div>
                ))}
              </div>
            ))}
          </div>
        </div>
        <div className="turn-side" />
      </div>
    </div>
  );
}
