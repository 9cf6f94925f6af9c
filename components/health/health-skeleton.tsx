// The shape of the health page while its figures are on their way: heads and rows where they will stand.
import { SkeletonRows } from "@/components/ui/skeleton";
import "./health.css";

export function HealthSkeleton() {
  return (
    <div className="health">
      <header className="health-head">
        <h1 className="text-h1">Health</h1>
      </header>
      <div className="mt-5 pt-6">
        <SkeletonRows count={8} rowHeight={53} label="Loading the health" />
      </div>
    </div>
  );
}
