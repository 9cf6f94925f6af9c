// Nothing here: says why, and what to do about it. Never a bare "no data".
import type { ReactNode } from "react";

export type EmptyStateProps = {
  title: string;
  /** Why there is nothing: "No worker takes turns for worker_generic." */
  cause: ReactNode;
  /** An aspect or an icon in front of the cause. */
  mark?: ReactNode;
  /** The way out: a button, a command to copy. */
  remedy?: ReactNode;
  /** `page` for a whole screen, `panel` for a list or a column of one. */
  size?: "page" | "panel";
};

export function EmptyState({ title, cause, mark, remedy, size = "panel" }: EmptyStateProps) {
  const isPage = size === "page";
  return (
    <div className={isPage ? "mx-auto w-full max-w-160 px-6 py-16" : "px-4 py-6"}>
      {isPage ? <h1 className="text-display">{title}</h1> : <h2 className="font-semibold">{title}</h2>}
      <p className={`flex items-start gap-2 text-ink-2 ${isPage ? "mt-2.5 text-[14.5px] leading-5" : "mt-1"}`}>
        {mark === undefined ? null : <span className="mt-0.5">{mark}</span>}
        <span dir="auto">{cause}</span>
      </p>
      {remedy === undefined ? null : (
        <div className={`flex flex-wrap items-center gap-2 ${isPage ? "mt-5" : "mt-3"}`}>{remedy}</div>
      )}
    </div>
  );
}
