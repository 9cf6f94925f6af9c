"use client";

// Above the canvas: which plan this is, whether it is kept, undo and redo, problems, and the ways to look at it.
import { Button } from "@/components/ui/button";
import { formatCount } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import { Segmented } from "@/components/ui/segmented";
import { useChecked, useComposer, useDrawn } from "./composer-context";
import { CHANGED_ELSEWHERE, useIsSaved } from "./use-saving";
import { VersionChoice } from "./versions/version-choice";

export type View = "plan" | "list" | "yaml";
export type BarProps = {
  base: string;
  /** The version that the draft was made from; null = the plan was never published. */
  version: number | null;
  head: number | null;
  others: readonly string[];
  /** The version that the drawing is compared with. */
  against: number | null;
  onAgainst: (version: number | null) => void;
  view: View;
  onView: (view: View) => void;
  onPublish: () => void;
  onEditHere: () => void;
  onProblems: () => void;
};

const views = [
  { value: "plan", label: "Plan" },
  { value: "list", label: "List" },
  { value: "yaml", label: "YAML" },
] as const;

export function Bar({
  base,
  version,
  head,
  others,
  against,
  onAgainst,
  view,
  onView,
  onPublish,
  onEditHere,
  onProblems,
}: BarProps) {
  const name = useDrawn(({ plan }) => plan.name);
  const { store, edit } = useComposer();
  const canUndo = useDrawn(({ history }) => history.past.length > 0);
  const canRedo = useDrawn(({ history }) => history.future.length > 0);
  return (
    <header className="composer-bar">
      <h1 className="min-w-16 shrink overflow-hidden">
        <button
          type="button"
          dir="auto"
          className="block w-full max-w-64 truncate text-left font-semibold hover:underline"
          title="Rename"
          onClick={() => edit("name")}
        >
          {name || "New plan"}
        </button>
      </h1>
      <span className="truncate text-ink-3">
        {version === null ? "not published" : `draft on v${version}`}
        {version !== null && head !== null && head > version ? `, v${head} is newer` : ""}
      </span>
      <SavingWords onEditHere={onEditHere} />
      {others.length === 0 ? null : (
        <span className="truncate text-ink-3 max-[1180px]:hidden" title={others.join(", ")}>
          {formatCount(others.length, "other draft")}
        </span>
      )}
      <i aria-hidden className="mx-1 h-4 w-px flex-none bg-line-2" />
      <IconButton icon="undo" label="Undo" keys="mod+z" aria-disabled={!canUndo} onClick={() => store.undo()} />
      <IconButton icon="redo" label="Redo" keys="shift+mod+z" aria-disabled={!canRedo} onClick={() => store.redo()} />
      <span className="flex-1" />
      <Problems onOpen={onProblems} />
      <Segmented label="View" value={view} choices={views} onChange={onView} />
      {head === null ? null : (
        <span className="max-[1180px]:hidden">
          <VersionChoice head={head} shown={null} value={against} onChange={onAgainst} />
        </span>
      )}
      {version === null ? null : (
        <Link className="btn max-[1180px]:hidden" href={`${base}/plans/${encodeURIComponent(name)}`}>
          Versions
        </Link>
      )}
      <Button keys="mod+s" onClick={onPublish}>
        Publish{head === null ? "" : ` v${head + 1}`}
      </Button>
    </header>
  );
}

export function SavingWords({ onEditHere }: { onEditHere: () => void }) {
  const { saving: shared, store } = useComposer();
  const saving = useIsSaved(shared, store);
  if (saving.state === "elsewhere")
    return (
      <span role="alert" className="flex items-center gap-2 text-st-partial">
        {CHANGED_ELSEWHERE}
        <Button size="sm" onClick={onEditHere}>
          Edit here
        </Button>
      </span>
    );
  const words =
    saving.state === "saved"
      ? `saved ${saving.at.toLocaleTimeString(undefined, { hour12: false })}`
      : saving.state === "kept"
        ? `kept in this browser: ${saving.cause}`
        : saving.state === "saving"
          ? "saving"
          : "";
  return (
    <span
      role="status"
      className={`flex min-w-0 items-center gap-1 ${saving.state === "kept" ? "text-st-partial" : "text-ink-3"}`}
    >
      {saving.state === "saved" ? <Icon name="check" size={13} className="flex-none" /> : null}
      <span className="truncate" title={words}>
        {words}
      </span>
    </span>
  );
}

export function Problems({ onOpen }: { onOpen: () => void }) {
  const isEmpty = useDrawn(({ plan }) => plan.nodes.length === 0);
  const errors = useChecked(({ problems }) => problems.filter(({ severity }) => severity === "error").length);
  const warnings = useChecked(({ problems }) => problems.length) - errors;
  const isKnown = useChecked(({ askedAt, failure }) => askedAt !== null || failure !== null);
  const failure = useChecked((checked) => checked.failure);
  if (isEmpty) return null;
  if (failure !== null)
    return (
      <span className="truncate text-st-partial" title={failure}>
        The kernel cannot be asked: {failure}
      </span>
    );
  if (errors + warnings === 0)
    return (
      <span className="flex shrink-0 items-center gap-1.5 whitespace-nowrap text-ink-2">
        {isKnown ? (
          <>
            <Icon name="check" size={14} className="text-st-success" /> No problems
          </>
        ) : (
          "Checking"
        )}
      </span>
    );
  return (
    <button type="button" className="flex items-center gap-1.5 whitespace-nowrap" onClick={onOpen}>
      {errors > 0 ? (
        <span className="flex items-center gap-1 font-semibold text-st-failed">
          <Icon name="x" size={14} /> {formatCount(errors, "problem")}
        </span>
      ) : null}
      {warnings > 0 ? (
        <span className="flex items-center gap-1 text-st-partial">
          <Icon name="warn" size={14} /> {formatCount(warnings, "warning")}
        </span>
      ) : null}
    </button>
  );
}
