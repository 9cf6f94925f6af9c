"use client";

// The four ways to look at a run: as a plan, as a table, as lanes of its agents, as a conversation. Run, turn and filter go along.
import { Icon, type IconName } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import "./run-views.css";

export type RunView = "yard" | "tree" | "lanes" | "transcript";

export type RunViewsProps = {
  projectId: string;
  /** The run whose transcript and lanes are meant; undefined where several are shown. */
  rootTurnId: string | undefined;
  view: RunView;
  /** What the address of the yard holds, without its view. */
  search: URLSearchParams;
  /** The yard changes between its own views by itself. */
  onView?: (view: "yard" | "tree" | "lanes") => void;
};

const views: readonly { view: RunView; name: string; icon: IconName }[] = [
  { view: "yard", name: "Yard", icon: "yard" },
  { view: "tree", name: "Tree", icon: "layout" },
  { view: "lanes", name: "Lanes", icon: "lanes" },
  { view: "transcript", name: "Transcript", icon: "transcript" },
];

export function RunViews({ projectId, rootTurnId, view: current, search, onView }: RunViewsProps) {
  const at = `/p/${encodeURIComponent(projectId)}`;
  return (
    <nav aria-label="Views of the run" className="run-views">
      {views.map(({ view, name, icon }) => {
        const inside = (
          <>
            <Icon name={icon} size={14} />
            <span>{name}</span>
          </>
        );
        if (rootTurnId === undefined && (view === "transcript" || view === "lanes"))
          return (
            <span
              key={view}
              aria-disabled="true"
              aria-current={view === current ? "page" : undefined}
              title={`Choose one run, or a turn of it, to ${view === "lanes" ? "see its lanes" : "read its transcript"}`}
            >
              {inside}
            </span>
          );
        return (
          <Link
            key={view}
            href={hrefOf(at, view, rootTurnId ?? "", search)}
            prefetch={false}
            aria-current={view === current ? "page" : undefined}
            title={name}
            onClick={(event) => {
              if (view === "transcript" || onView === undefined || event.metaKey || event.ctrlKey || event.shiftKey)
                return;
              event.preventDefault();
              onView(view);
            }}
          >
            {inside}
          </Link>
        );
      })}
    </nav>
  );
}

function hrefOf(at: string, view: RunView, rootTurnId: string, search: URLSearchParams): string {
  const asked = new URLSearchParams(search);
  if (view === "tree" || view === "lanes") asked.set("view", view);
  // Of all runs, the lanes are those of the selected turn's.
  if (view === "lanes") asked.set("run", rootTurnId);
  if (view === "transcript") asked.delete("run");
  const path = view === "transcript" ? `${at}/runs/${encodeURIComponent(rootTurnId)}/transcript` : at;
  return asked.size === 0 ? path : `${path}?${asked}`;
}
