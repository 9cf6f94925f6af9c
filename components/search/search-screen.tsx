"use client";

// Search of a project in one language: what is asked is in the address, a query that cannot be read says where, and the counts
// beside the hits edit the same query.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useCallback, useRef } from "react";
import { Failure } from "@/components/domain/failure";
import { FaultLine } from "@/components/domain/fault-line";
import { faultOf } from "@/components/domain/query-fault";
import { ViewMenu } from "@/components/domain/view-menu";
import { useTRPC } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { ToggleChip } from "@/components/ui/chip";
import { SkeletonRows } from "@/components/ui/skeleton";
import { useTabTitle } from "@/components/ui/tab-title";
import { SearchInput } from "@/components/ui/text-input";
import { useRested } from "@/components/ui/use-rested";
import { beside } from "@/server/contract/search-query/beside";
import { queryKinds } from "@/server/contract/search-query/fields";
import { ExampleList } from "./example-list";
import { Found } from "./found";
import { SavedViews } from "./saved-views";
import { kindNames, kindOrder } from "./search-words";
import "@/components/ui/list.css";
import "./search.css";

const params = { q: parseAsString.withDefault(""), kind: parseAsStringLiteral(queryKinds) };
const SHOWN = 20;
/** Of one kind, which has the page to itself. */
const SHOWN_ALONE = 100;

export function SearchScreen({ projectId }: { projectId: string }) {
  const trpc = useTRPC();
  const [{ q, kind }, setParams] = useQueryStates(params);
  const asked = useRested(q.trim());
  const bar = useRef<HTMLElement>(null);
  const field = useCallback(() => bar.current?.querySelector("input"), []);
  const found = useQuery({
    ...trpc.search.query.queryOptions(
      {
        project_id: projectId,
        q: asked,
        limit: kind === null ? SHOWN : SHOWN_ALONE,
        facets: true,
        ...(kind && { kind }),
      },
      patient,
    ),
    enabled: asked !== "",
    placeholderData: keepPreviousData,
  });
  useTabTitle(asked === "" ? "Search" : `Search ${asked.slice(0, 60)}`);
  const fault = found.error === null ? null : faultOf(found.error.message);
  const write = (next: string) => void setParams({ q: next === "" ? null : next });
  return (
    <div className="search-screen">
      <h1 className="sr-only">Search</h1>
      <search ref={bar} className="filter-bar">
        <SearchInput
          label="Words, or field:value"
          className="w-[34rem] max-w-full max-sm:w-full"
          value={q}
          maxLength={1_000}
          autoFocus
          onChange={write}
        />
        {kindOrder.map((one) => (
          <ToggleChip key={one} isOn={kind === one} onChange={(isOn) => void setParams({ kind: isOn ? one : null })}>
            {kindNames[one]}
          </ToggleChip>
        ))}
        <ViewMenu projectId={projectId} page="search" query={fault === null ? withKind(asked, kind) : ""} />
      </search>
      {asked === "" ? (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <SavedViews projectId={projectId} />
          <ExampleList onChoose={write} />
        </div>
      ) : fault !== null ? (
        <FaultLine query={asked} fault={fault} />
      ) : found.error && found.data === undefined ? (
        <Failure error={found.error} what="search" onRetry={found.refetch} />
      ) : found.data === undefined ? (
        <SkeletonRows count={12} rowHeight={34} label="Searching" />
      ) : (
        <Found
          projectId={projectId}
          answer={found.data}
          query={asked}
          isBusy={found.isPlaceholderData}
          onQuery={write}
          onKind={(next) => void setParams({ kind: next })}
          field={field}
        />
      )}
    </div>
  );
}

/** The kind that has the page to itself is a filter of the query. */
const withKind = (query: string, kind: string | null): string =>
  kind === null || query === "" ? query : beside(query, `kind:${kind}`);
