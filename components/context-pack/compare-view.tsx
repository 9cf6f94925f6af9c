"use client";

// This pack beside another: what came, what went and what changed, by section and line by line. The other one is the older.
import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { Failure } from "@/components/domain/failure";
import { useTRPC } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { EmptyState } from "@/components/ui/empty-state";
import { formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Select } from "@/components/ui/select";
import { SkeletonRows } from "@/components/ui/skeleton";
import { packCode } from "@/server/contract/context-pack/pack-code";
import type { PackRecord } from "@/server/contract/context-pack/record";
import { ChangeList } from "./change-list";
import { changeCounts } from "./view/changes";
import "@/components/ui/list.css";

export type CompareViewProps = { projectId: string; record: PackRecord };

/** Of the packs to choose from; any other can be named in the address. */
const CHOICES_MAX = 100;

export function CompareView({ projectId, record }: CompareViewProps) {
  const trpc = useTRPC();
  const [other, setOther] = useQueryState("with", parseAsString);
  const list = useQuery(trpc.context_pack.list.queryOptions({ project_id: projectId, limit: CHOICES_MAX }, patient));
  const others = list.data?.items.filter(({ sha256 }) => sha256 !== record.sha256);
  const diff = useQuery(
    trpc.context_pack.diff.queryOptions(
      { project_id: projectId, before: other ?? "", after: record.sha256 },
      { ...patient, enabled: other !== null },
    ),
  );
  const options = (others ?? []).map(({ sha256, code, title }) => ({ value: sha256, label: `${code}: ${title}` }));
  const known = other === null || options.some(({ value }) => value === other);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="filter-bar">
        <span className="text-ink-2">What changed from</span>
        <Select
          label="Compare with"
          className="w-80 max-sm:w-full"
          placeholder={others?.length === 0 ? "No other pack" : "Choose a pack"}
          isDisabled={others === undefined || others.length === 0}
          value={other}
          options={known || other === null ? options : [{ value: other, label: codeOf(other) }, ...options]}
          onChange={(next) => void setOther(next, { history: "push" })}
        />
        <span className="text-ink-2">to {record.code}</span>
        <span className="flex-1" />
        {diff.data === undefined ? null : (
          <output className="text-ink-2">{changeCounts(diff.data.changes) || "No difference"}</output>
        )}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 pb-6">
        {other === null ? (
          others?.length === 0 ? (
            <EmptyState
              title="No other pack to compare with"
              cause="This is the only context pack of the project. Build another, and what differs is shown here."
              remedy={
                <Link className="btn" href={`/p/${encodeURIComponent(projectId)}/packs/new`}>
                  Build a pack
                </Link>
              }
            />
          ) : list.error && others === undefined ? (
            <Failure error={list.error} what="list of packs" onRetry={list.refetch} size="panel" />
          ) : (
            <p className="py-6 text-ink-3">
              Choose a pack to see what differs.
              {others !== undefined && others.length >= CHOICES_MAX - 1
                ? ` The newest ${formatNumber(CHOICES_MAX)} are listed.`
                : ""}
            </p>
          )
        ) : diff.data === undefined ? (
          diff.error ? (
            <Failure error={diff.error} what="context pack" name={other} onRetry={diff.refetch} size="panel" />
          ) : (
            <SkeletonRows count={8} rowHeight={32} label="Comparing" />
          )
        ) : (
          <ChangeList changes={diff.data.changes} />
        )}
      </div>
    </div>
  );
}

const codeOf = (name: string): string => (/^[0-9a-f]{64}$/.test(name) ? packCode(name) : name);
