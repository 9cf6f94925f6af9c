"use client";

// What the agents of one run share: keys at the left, the chosen one's value at the right, live.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { parseAsString, useQueryStates } from "nuqs";
import { useEffect, useState } from "react";
import { Failure } from "@/components/domain/failure";
import { useLive } from "@/components/domain/use-live";
import { useTRPC } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { ListRows } from "@/components/ui/list-rows";
import { NoFit } from "@/components/ui/no-fit";
import { Select } from "@/components/ui/select";
import { ListSkeleton } from "@/components/ui/skeleton";
import { useTabTitle } from "@/components/ui/tab-title";
import { SearchInput } from "@/components/ui/text-input";
import { Ago } from "@/components/ui/time";
import { useIsSettled } from "@/components/ui/use-is-settled";
import type { EnvEntry, EnvRun, EnvSheet } from "@/server/contract/env-data";
import { DeleteKey } from "./delete-key";
import { KeyDialog } from "./key-dialog";
import { KeyPanel } from "./key-panel";
import { StoredBy } from "./stored-by";
import "./env-data.css";

const params = { run: parseAsString, key: parseAsString, q: parseAsString.withDefault(""), new: parseAsString };
const columns = [
  { name: "Key", width: "minmax(0,1fr)" },
  { name: "What it is", width: "minmax(0,1.6fr)" },
  { name: "Stored by", width: "minmax(0,1fr)" },
  { name: "Changed", width: "84px", isRight: true },
];

type Line = EnvSheet["items"][number];

export function EnvScreen({ projectId }: { projectId: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [{ run: asked, key, q, new: isNew }, setParams] = useQueryStates(params);
  const [edited, setEdited] = useState<EnvEntry | null>(null);
  // Held as it was when it was asked for: the list goes on under the dialog.
  const [deleting, setDeleting] = useState<Line | null>(null);
  const isSettled = useIsSettled();
  const sheet = useQuery(
    trpc.env_data.sheet.queryOptions({ project_id: projectId, root_turn_id: asked ?? undefined }, patient),
  );
  const run = sheet.data?.run;
  useTabTitle(key, "Environment data", run && `Run ${formatNumber(run.number)}`);
  useLive({
    projectId,
    cursor: sheet.data?.live_cursor,
    isMine: (frame) => frame.kind === "run" || frame.kind === "env_data",
    read: async () => {
      const [read] = await Promise.all([
        sheet.refetch(),
        queryClient.invalidateQueries({ queryKey: trpc.env_data.get.pathKey() }),
      ]);
      return read.data?.live_cursor;
    },
  });
  const items = sheet.data?.items;
  // Values that somebody looks at stay: without a name in the address the page is that of the newest run with keys, and the
  // first key of a newer one took it away.
  const pinned = asked === null && (items?.length ?? 0) > 0 ? run?.root_turn_id : undefined;
  useEffect(() => {
    if (pinned === undefined) return;
    const named = trpc.env_data.sheet.queryKey({ project_id: projectId, root_turn_id: pinned });
    queryClient.setQueryData(named, (before) => before ?? sheet.data);
    void setParams({ run: pinned });
  }, [pinned, projectId, queryClient, sheet.data, setParams, trpc]);
  const shown = items === undefined ? [] : filterLines(items, q);
  const chosen = items?.find((line) => line.key === key);
  // With the run in the address, as below.
  const add = () => void setParams({ run: run?.root_turn_id, new: "1" }, { history: "push" });
  const close = () => void setParams({ key: null });

  if (sheet.data === undefined)
    return sheet.error ? (
      <Failure
        error={sheet.error}
        what="run"
        name={asked ?? undefined}
        onRetry={sheet.refetch}
        way={<Button onClick={() => void setParams({ run: null, key: null })}>Newest run with shared data</Button>}
      />
    ) : (
      <ListSkeleton what="environment data" rowHeight={36} />
    );
  if (run === undefined) return <NoRun projectId={projectId} />;
  return (
    <div className="@container flex min-h-0 min-w-0 flex-1 flex-col">
      <h1 className="sr-only">Environment data</h1>
      <search className="filter-bar">
        <Select
          label="Run"
          className="w-72 max-sm:w-full"
          value={run.root_turn_id}
          options={sheet.data.runs.map(optionOf)}
          onChange={(next) => void setParams({ run: next, key: null }, { history: "push" })}
        />
        <SearchInput
          label="Key or description"
          className="w-56 max-sm:w-full"
          value={q}
          maxLength={200}
          onChange={(next) => void setParams({ q: next === "" ? null : next })}
        />
        {items === undefined || items.length === 0 ? null : (
          <span className="text-ink-3">
            {shown.length === items.length
              ? formatCount(items.length, "key")
              : `${formatNumber(shown.length)} of ${formatCount(items.length, "key")}`}
          </span>
        )}
        <span className="flex-1" />
        <Link className="btn" data-variant="ghost" href={`/p/${encodeURIComponent(projectId)}?run=${run.root_turn_id}`}>
          See the run
        </Link>
        <Button icon="plus" onClick={add}>
          New key
        </Button>
      </search>
      {items === undefined || items.length === 0 ? (
        <Nothing run={run} onAdd={add} />
      ) : (
        <div className="env-body" data-is-open={chosen !== undefined || undefined}>
          <div className="env-list">
            {shown.length === 0 ? (
              <NoFit
                title="No key fits"
                cause="All words must occur in the key or its description."
                onClear={() => void setParams({ q: null })}
              />
            ) : (
              <ListRows columns={columns} group="Environment data" one="key">
                {shown.map((line) => (
                  <Row
                    key={line.key}
                    projectId={projectId}
                    line={line}
                    isChosen={line.key === key}
                    // With the run in the address: without it the newest run with keys is shown, and that may become another.
                    onChoose={() => void setParams({ run: line.root_turn_id, key: line.key })}
                  />
                ))}
              </ListRows>
            )}
          </div>
          {chosen !== undefined ? (
            <KeyPanel
              key={`${run.root_turn_id} ${chosen.key}`}
              projectId={projectId}
              line={chosen}
              onEdit={setEdited}
              onDelete={() => setDeleting(chosen)}
              onClose={close}
            />
          ) : key !== null ? (
            <section className="env-panel" aria-label={`Key ${key}`}>
              <EmptyState
                title="This key was deleted"
                cause={`${key} was never stored in run ${run.number}, or it was deleted.`}
                remedy={<Button onClick={close}>All keys</Button>}
              />
            </section>
          ) : (
            <p className="env-panel px-4 py-6 text-ink-3 max-sm:hidden">Choose a key to see its value.</p>
          )}
        </div>
      )}
      {(isNew !== null || edited !== null) && isSettled ? (
        <KeyDialog
          projectId={projectId}
          run={run}
          edited={edited}
          onSaved={(of, saved) => {
            setEdited(null);
            void setParams({ new: null, run: of, key: saved });
          }}
          onClose={() => {
            setEdited(null);
            void setParams({ new: null });
          }}
        />
      ) : null}
      {deleting !== null ? (
        <DeleteKey
          projectId={projectId}
          run={sheet.data.runs.find((one) => one.root_turn_id === deleting.root_turn_id) ?? run}
          line={deleting}
          onDeleted={() => {
            setDeleting(null);
            close();
          }}
          onClose={() => setDeleting(null)}
        />
      ) : null}
    </div>
  );
}

const optionOf = (run: EnvRun) => ({
  value: run.root_turn_id,
  label: `Run ${run.number}: ${run.title}`,
  detail: run.env_count === 0 ? undefined : formatCount(run.env_count, "key"),
});

function filterLines(lines: readonly Line[], q: string): readonly Line[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return lines.filter(({ key, short_description }) => {
    const text = `${key} ${short_description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

type RowProps = { projectId: string; line: Line; isChosen: boolean; onChoose: () => void };

function Row({ projectId, line, isChosen, onChoose }: RowProps) {
  return (
    <button
      type="button"
      data-row
      aria-current={isChosen ? "true" : undefined}
      className="list-row env-row"
      onClick={onChoose}
    >
      <b className="truncate font-mono" title={line.key}>
        {line.key}
      </b>
      <span className="truncate text-ink-2 max-sm:order-1 max-sm:w-full" title={line.short_description}>
        {line.short_description}
      </span>
      <span className="min-w-0 text-ink-2">
        <StoredBy projectId={projectId} line={line} />
      </span>
      <span className="text-right text-ink-3">
        <Ago at={line.updated_at} />
      </span>
    </button>
  );
}

function Nothing({ run, onAdd }: { run: EnvRun; onAdd: () => void }) {
  return (
    <EmptyState
      size="page"
      title="No shared values yet"
      cause={`Agents of run ${run.number} can share values here by key, without handing over a box. They use store_env_data and list_env_data. You can add values too.`}
      remedy={
        <Button icon="plus" onClick={onAdd}>
          Store the first key
        </Button>
      }
    />
  );
}

function NoRun({ projectId }: { projectId: string }) {
  return (
    <EmptyState
      size="page"
      title="No run yet"
      cause="Environment data holds values that the agents of one run share. Launch a run first."
      remedy={
        <Link className="btn" href={`/p/${encodeURIComponent(projectId)}?launch=1`}>
          Launch
        </Link>
      }
    />
  );
}
