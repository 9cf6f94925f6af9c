"use client";

// One context pack: its budget, the document, its receipt; beside another pack; and as the JSON that a model is given.
import { useQuery } from "@tanstack/react-query";
import { parseAsStringLiteral, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { Failure } from "@/components/domain/failure";
import { useTRPC } from "@/components/trpc/client";
import { patientForEver } from "@/components/trpc/patient";
import { Link } from "@/components/ui/link";
import { Segmented } from "@/components/ui/segmented";
import { useTabTitle } from "@/components/ui/tab-title";
import { Tabs } from "@/components/ui/tabs";
import { BudgetColumn } from "./budget-column";
import { CompareView } from "./compare-view";
import { DocumentColumn } from "./document-column";
import { PackHead } from "./pack-head";
import { PackJson } from "./pack-json";
import { PackSkeleton } from "./pack-skeleton";
import { ReceiptColumn } from "./receipt-column";
import { packDocument } from "./view/pack-document";
import "./pack.css";

export type PackScreenProps = { projectId: string; pack: string };

const views = ["pack", "compare", "json"] as const;
const parts = ["document", "budget", "receipt"] as const;
const params = {
  view: parseAsStringLiteral(views).withDefault("pack"),
  /** On a phone the three columns are shown one at a time. */
  part: parseAsStringLiteral(parts).withDefault("document"),
};

export function PackScreen({ projectId, pack }: PackScreenProps) {
  const trpc = useTRPC();
  const [{ view, part }, setParams] = useQueryStates(params);
  const read = useQuery(trpc.context_pack.get.queryOptions({ project_id: projectId, pack }, patientForEver));
  const shown = useMemo(() => read.data && packDocument(read.data), [read.data]);
  useTabTitle(read.data?.record.code, "Context packs");
  if (read.data === undefined || shown === undefined)
    return read.error ? (
      <Failure
        error={read.error}
        what="context pack"
        name={pack}
        onRetry={read.refetch}
        way={
          <Link className="btn" href={`/p/${encodeURIComponent(projectId)}/packs`}>
            All context packs
          </Link>
        }
      />
    ) : (
      <PackSkeleton />
    );
  const { record, sidecar } = read.data;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PackHead projectId={projectId} record={record} sidecar={sidecar} />
      <Tabs
        label="Views of this pack"
        value={view}
        onChange={(next) => void setParams({ view: next }, { history: "push" })}
        tabs={[
          { value: "pack", label: "Pack" },
          { value: "compare", label: "Compare" },
          { value: "json", label: "JSON" },
        ]}
      >
        {view === "json" ? (
          <PackJson pack={read.data.pack} sidecar={sidecar} />
        ) : view === "compare" ? (
          <CompareView projectId={projectId} record={record} />
        ) : (
          <>
            <div className="cpack-parts">
              <Segmented
                label="Part of the pack"
                value={part}
                onChange={(next) => void setParams({ part: next })}
                choices={[
                  { value: "document", label: "Document" },
                  { value: "budget", label: "Budget" },
                  { value: "receipt", label: "Receipt" },
                ]}
              />
            </div>
            <div className="cpack-body" data-shown={part}>
              <BudgetColumn
                projectId={projectId}
                record={record}
                sections={shown.sections}
                onShow={async (key) => {
                  await setParams({ part: "document" });
                  document.getElementById(`section-${key}`)?.scrollIntoView({ block: "start" });
                }}
              />
              <DocumentColumn projectId={projectId} sections={shown.sections} />
              <ReceiptColumn projectId={projectId} record={record} sidecar={sidecar} />
            </div>
          </>
        )}
      </Tabs>
    </div>
  );
}
