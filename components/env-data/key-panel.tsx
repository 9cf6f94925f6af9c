"use client";

// One key: what it is, who stored it and when, and its value.
import { useQuery } from "@tanstack/react-query";
import { Failure } from "@/components/domain/failure";
import { useTRPC } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { FactLines } from "@/components/ui/facts";
import { formatBytes } from "@/components/ui/format";
import { JsonView } from "@/components/ui/json-view";
import { useShortcut } from "@/components/ui/shortcuts";
import { SkeletonRows } from "@/components/ui/skeleton";
import { TextView } from "@/components/ui/text-view";
import { Ago } from "@/components/ui/time";
import type { EnvEntry, EnvSheet } from "@/server/contract/env-data";
import { StoredBy } from "./stored-by";

export type KeyPanelProps = {
  projectId: string;
  line: EnvSheet["items"][number];
  onEdit: (entry: EnvEntry) => void;
  onDelete: () => void;
  onClose: () => void;
};

export function KeyPanel({ projectId, line, onEdit, onDelete, onClose }: KeyPanelProps) {
  const trpc = useTRPC();
  const { root_turn_id, key } = line;
  useShortcut("esc", "Close the key", onClose, { group: "Environment data" });
  const entry = useQuery(trpc.env_data.get.queryOptions({ project_id: projectId, root_turn_id, key }, patient));
  return (
    <section className="env-panel" aria-label={`Key ${key}`}>
      <header className="flex flex-none flex-wrap items-start gap-x-3 gap-y-2 px-4 py-3">
        <Button variant="ghost" icon="left" className="env-back" onClick={onClose}>
          All keys
        </Button>
        <div className="min-w-0 flex-1 basis-60">
          <h2 className="break-words font-mono text-[14px] font-semibold">{key}</h2>
          <p className="break-words text-ink-2">
            {line.short_description || <span className="text-ink-3">no description</span>}
          </p>
        </div>
        <div className="flex flex-none items-center gap-1">
          <CopyButton text={key} label="Copy the key" />
          <Button
            icon="text"
            disabled={entry.data === undefined}
            onClick={() => {
              if (entry.data !== undefined) onEdit(entry.data);
            }}
          >
            Edit
          </Button>
          <Button icon="trash" variant="danger" onClick={onDelete}>
            Delete
          </Button>
        </div>
      </header>
      <div className="flex-none px-4 pb-3">
        <FactLines
          labelWidth={84}
          facts={[
            { name: "Stored by", value: <StoredBy projectId={projectId} line={line} isLink /> },
            { name: "Changed", value: <Ago at={line.updated_at} /> },
            { name: "First stored", value: <Ago at={line.created_at} /> },
            { name: "Size", value: formatBytes(line.value_bytes) },
          ]}
        />
      </div>
      <div className="flex min-h-0 flex-1 flex-col border-line border-t px-4 pt-1 pb-2">
        {entry.data !== undefined ? (
          <Value key={entry.data.rev} value={entry.data.value} label={`Value of ${key}`} />
        ) : entry.error ? (
          <Failure error={entry.error} what="key" name={key} onRetry={entry.refetch} size="panel" />
        ) : (
          <SkeletonRows count={4} rowHeight={20} label="Loading the value" />
        )}
      </div>
    </section>
  );
}

function Value({ value, label }: { value: unknown; label: string }) {
  return typeof value === "string" ? <TextView text={value} label={label} /> : <JsonView value={value} label={label} />;
}
