"use client";

// All context packs of a project, the newest first: what each is for, how full it is, and what it had to leave out.
import { useInfiniteQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { useDeferredValue } from "react";
import { agentName, personName } from "@/components/domain/agent-names";
import { ListFrame } from "@/components/domain/list-frame";
import { More } from "@/components/domain/more";
import { pace, useReadAgain } from "@/components/domain/use-read-again";
import { useTRPC } from "@/components/trpc/client";
import { nextPage } from "@/components/trpc/next-page";
import { patient } from "@/components/trpc/patient";
import { EmptyState } from "@/components/ui/empty-state";
import { formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import type { ListColumn } from "@/components/ui/list-rows";
import { NoFit } from "@/components/ui/no-fit";
import { Plate } from "@/components/ui/plate";
import { SearchInput } from "@/components/ui/text-input";
import { Ago } from "@/components/ui/time";
import type { PackRecord } from "@/server/contract/context-pack/record";
import { PackBar } from "./pack-bar";
import { packListQuery } from "./pack-list-query";

const columns: readonly ListColumn[] = [
  { name: "Pack", width: "72px" },
  { name: "Goal", width: "minmax(0,1.6fr)" },
  { name: "Kind", width: "64px" },
  { name: "Load, against everything found", width: "minmax(90px,200px)" },
  { name: "Tokens", width: "120px", isRight: true },
  { name: "Whole, cut, left out", width: "128px" },
  { name: "By", width: "84px" },
  { name: "Built", width: "84px", isRight: true },
];

export function PacksScreen({ projectId }: { projectId: string }) {
  const trpc = useTRPC();
  const [q, setQ] = useQueryState("q", parseAsString.withDefault(""));
  const words = useDeferredValue(q.trim());
  const list = useInfiniteQuery(
    trpc.context_pack.list.infiniteQueryOptions(packListQuery(projectId, words), {
      ...patient,
      ...useReadAgain(pace.seldom),
      ...nextPage,
      placeholderData: (before) => before,
    }),
  );
  const packs = list.data?.pages.flatMap((page) => page.items);
  const lookedAt = list.data?.pages.reduce((all, page) => all + (page.looked_at ?? 0), 0) ?? 0;
  const href = `/p/${encodeURIComponent(projectId)}/packs`;
  const create = (
    <Link className="btn" href={`${href}/new`}>
      <Icon name="plus" size={15} />
      Build a pack
    </Link>
  );
  return (
    <ListFrame
      title="Context packs"
      what="list of context packs"
      one="pack"
      columns={columns}
      rowHeight={36}
      items={packs}
      query={list}
      none={
        words === "" ? (
          <NoPacks create={create} />
        ) : (
          <NoFit
            title="No matching packs"
            cause="No matching packs. Search by number, or by words of the goal."
            onClear={() => void setQ(null)}
          />
        )
      }
      filters={
        <>
          <SearchInput
            label="Number or words of the goal"
            className="w-64 max-sm:w-full"
            value={q}
            maxLength={400}
            onChange={(next) => void setQ(next === "" ? null : next)}
          />
          <span className="flex-1" />
          <Link className="btn" data-variant="ghost" href={`${href}/workspaces`}>
            Workspaces
          </Link>
          {create}
        </>
      }
    >
      {(items) => (
        <>
          {items.map((pack) => (
            <Row key={pack.sha256} href={`${href}/${pack.sha256}`} pack={pack} />
          ))}
          <More
            shown={items.length}
            one="pack"
            list={list}
            note={lookedAt === 0 ? null : `Looked at the newest ${formatNumber(lookedAt)}.`}
          />
        </>
      )}
    </ListFrame>
  );
}

function Row({ href, pack }: { href: string; pack: PackRecord }) {
  const { whole, shortened, left_out } = pack.counts;
  return (
    <Link data-row href={href} className="list-row" title={pack.sha256}>
      <span>
        <Plate code={pack.code} />
      </span>
      <span dir="auto" className="truncate max-sm:order-last max-sm:w-full">
        {pack.title}
      </span>
      <span className="text-ink-2">
        {pack.kind}
        <span className="sr-only">, profile {pack.profile}</span>
      </span>
      <span className="max-sm:hidden">
        <PackBar record={pack} />
      </span>
      <span className="text-right max-sm:ml-auto">
        <b>{formatNumber(pack.estimate)}</b>
        <span className="text-ink-3">
          {" "}
          of {formatNumber(pack.limit)}
          <span className="sr-only"> tokens</span>
        </span>
      </span>
      <span
        className="text-ink-2 max-sm:hidden"
        title={`${formatNumber(whole)} whole, ${formatNumber(shortened)} shortened, ${formatNumber(left_out)} left out`}
      >
        {formatNumber(whole)}, {formatNumber(shortened)}, {formatNumber(left_out)}
      </span>
      <span className="truncate text-ink-3 max-sm:hidden">{agentName({ agent_id: personName(pack.created_by) })}</span>
      <span className="text-right text-ink-3 max-sm:hidden">
        <Ago at={pack.created_at} />
      </span>
    </Link>
  );
}

function NoPacks({ create }: { create: React.ReactNode }) {
  return (
    <EmptyState
      size="page"
      title="No context packs yet"
      cause={
        <>
          A context pack gives an agent what it needs for one goal: conditions, documents, files and decisions, within a
          limit of tokens and without secrets. Build one here from boxes, cards or the files of a workspace, let a
          launch build it, or let an agent do so.
        </>
      }
      remedy={create}
    />
  );
}
