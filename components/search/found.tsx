"use client";

// What a query has found, by kind, beside the counts that narrow it.
import { useRef } from "react";
import { hitsOf } from "@/components/domain/query-hits";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatNumber } from "@/components/ui/format";
import { useRowKeys } from "@/components/ui/use-row-keys";
import type { QueryAnswer, QueryGroup } from "@/server/contract/query-search";
import type { QueryKind } from "@/server/contract/search-query/fields";
import { FacetColumn } from "./facet-column";
import { HitRow } from "./hit-row";
import { kindNames, kindOrder } from "./search-words";

export type FoundProps = {
  projectId: string;
  answer: QueryAnswer;
  query: string;
  isBusy: boolean;
  onQuery: (query: string) => void;
  onKind: (kind: QueryKind) => void;
  /** Where the query is typed. */
  field: () => HTMLElement | null | undefined;
};

export function Found({ projectId, answer, query, isBusy, onQuery, onKind, field }: FoundProps) {
  const list = useRef<HTMLDivElement>(null);
  useRowKeys(list, "Search", "hit", field);
  const groups = answer.groups
    .filter(({ items }) => items.length > 0)
    .toSorted((one, other) => kindOrder.indexOf(one.kind) - kindOrder.indexOf(other.kind));
  const isPartial = answer.groups.some(({ is_partial }) => is_partial);
  return (
    <div className="search-body" aria-busy={isBusy || undefined}>
      <FacetColumn groups={answer.groups} query={query} onQuery={onQuery} />
      <div ref={list} className="search-hits">
        {groups.length === 0 ? (
          <EmptyState
            title="No matches"
            cause={
              isPartial
                ? "Only the newest rows were looked at. Name a run, a type or a time to look at fewer of them."
                : "Nothing in this project fits the query. Take away a word or a filter."
            }
          />
        ) : (
          groups.map((group) => <Group key={group.kind} projectId={projectId} group={group} onKind={onKind} />)
        )}
        {answer.skipped.length === 0 ? null : (
          <p className="px-4 py-3 text-ink-3 text-note">
            Only {namesOf(answer.groups)} have what the query asks for. Not searched: {namesOf(answer.skipped)}.
          </p>
        )}
      </div>
    </div>
  );
}

const both = new Intl.ListFormat("en-GB");
const namesOf = (of: readonly { kind: QueryKind }[]): string =>
  both.format(of.map(({ kind }) => kindNames[kind].toLowerCase()));

type GroupProps = { projectId: string; group: QueryGroup; onKind: (kind: QueryKind) => void };

function Group({ projectId, group, onKind }: GroupProps) {
  const { kind, items, next_cursor, is_partial, looked_at, facets } = group;
  const count = `${formatNumber(items.length)}${next_cursor === undefined ? "" : "+"}`;
  return (
    <section aria-label={kindNames[kind]}>
      <header className="search-group-head">
        <h2 className="font-semibold">{kindNames[kind]}</h2>
        <span className="text-ink-2">{count}</span>
        <span className="flex-1" />
        {is_partial ? (
          <span className="text-ink-3 text-note">
            looked at the newest {formatNumber(looked_at ?? facets?.looked_at ?? 0)}
          </span>
        ) : null}
        {next_cursor === undefined ? null : (
          <Button size="sm" variant="ghost" onClick={() => onKind(kind)}>
            Only {kindNames[kind].toLowerCase()}
          </Button>
        )}
      </header>
      <ul>
        {hitsOf(projectId, group).map((hit) => (
          <li key={hit.key}>
            <HitRow hit={hit} />
          </li>
        ))}
      </ul>
    </section>
  );
}
