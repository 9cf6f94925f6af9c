"use client";

// All boxes of a project, the newest first: whose each is, what it weighs, drawn on one scale.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useDeferredValue, useMemo } from "react";
import { ListFrame } from "@/components/domain/list-frame";
import { More } from "@/components/domain/more";
import { useTRPC } from "@/components/trpc/client";
import { nextPage } from "@/components/trpc/next-page";
import { patient } from "@/components/trpc/patient";
import { BoxId } from "@/components/ui/box-id";
import { Chip, ToggleChip } from "@/components/ui/chip";
import { Consist } from "@/components/ui/consist";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import type { ListColumn } from "@/components/ui/list-rows";
import { NoFit } from "@/components/ui/no-fit";
import { Plate } from "@/components/ui/plate";
import { SearchInput } from "@/components/ui/text-input";
import { Ago } from "@/components/ui/time";
import { boxKinds, boxPlate } from "@/server/contract/box";
import { parseConsist } from "@/server/contract/consist";
import type { BoxHit } from "@/server/contract/search";
import { boxListQuery } from "./box-list-query";

const filters = {
  kind: parseAsStringLiteral(boxKinds),
  agent: parseAsString,
  q: parseAsString.withDefault(""),
};
const columns: readonly ListColumn[] = [
  { name: "Box", width: "64px" },
  { name: "Kind", width: "76px" },
  { name: "Whose", width: "minmax(0,1fr)" },
  { name: "Load, on one scale", width: "minmax(90px,220px)" },
  { name: "Cards", width: "66px", isRight: true },
  { name: "Tokens", width: "76px", isRight: true },
  { name: "Created", width: "92px", isRight: true },
];
const searchMax = 50;

export function BoxesScreen({ projectId }: { projectId: string }) {
  const trpc = useTRPC();
  const [filter, setFilter] = useQueryStates(filters);
  const words = useDeferredValue(filter.q.trim());
  const list = useInfiniteQuery(
    trpc.box.list.infiniteQueryOptions(boxListQuery(projectId, filter), {
      ...patient,
      ...nextPage,
    }),
  );
  const search = useQuery(
    trpc.palette.search.queryOptions(
      { project_id: projectId, query: words, kinds: ["box"], limit: searchMax },
      { ...patient, enabled: words !== "", placeholderData: (before) => before },
    ),
  );
  const isSearch = words !== "";
  const boxes = useMemo(() => {
    if (!isSearch) return list.data?.pages.flatMap((page) => page.items);
    return search.data?.boxes.filter((box) => filter.kind === null || box.kind === filter.kind);
  }, [isSearch, list.data, search.data, filter.kind]);
  const failed = isSearch ? search : list;
  const hasFilter = filter.kind !== null || filter.agent !== null || isSearch;

  return (
    <ListFrame
      title="Boxes"
      what="list of boxes"
      one="box"
      columns={columns}
      rowHeight={36}
      items={boxes}
      query={failed}
      none={<NoBoxes hasFilter={hasFilter} onClear={() => void setFilter({ kind: null, agent: null, q: null })} />}
      filters={
        <>
          <SearchInput
            label="Number, headcode, profile, words"
            className="w-64 max-sm:w-full"
            value={filter.q}
            onChange={(q) => void setFilter({ q: q === "" ? null : q })}
          />
          {boxKinds.map((kind) => (
            <ToggleChip
              key={kind}
              isOn={filter.kind === kind}
              onChange={(isOn) => void setFilter({ kind: isOn ? kind : null })}
            >
              {kind}
            </ToggleChip>
          ))}
          {filter.agent === null ? null : (
            <Chip name="agent" onRemove={() => void setFilter({ agent: null })}>
              {filter.agent}
            </Chip>
          )}
        </>
      }
    >
      {(boxes) => (
        <>
          <Rows projectId={projectId} boxes={boxes} />
          {isSearch ? (
            <p className="px-4 py-3 text-ink-3">
              {boxes.length < searchMax
                ? `${formatCount(boxes.length, "box", "boxes")} found.`
                : `The best ${searchMax} matches. Add words to narrow the search.`}
            </p>
          ) : (
            <More
              shown={boxes.length}
              one="box"
              many="boxes"
              note={filter.kind === null ? <RequestsNote onShow={() => void setFilter({ kind: "request" })} /> : null}
              list={list}
            />
          )}
        </>
      )}
    </ListFrame>
  );
}

function RequestsNote({ onShow }: { onShow: () => void }) {
  return (
    <>
      Requests (one for every step) are hidden.{" "}
      <button type="button" className="link" onClick={onShow}>
        Show the requests
      </button>
    </>
  );
}

function Rows({ projectId, boxes }: { projectId: string; boxes: readonly BoxHit[] }) {
  const heaviest = Math.max(1, ...boxes.map((box) => box.token_sum));
  return (
    <>
      {boxes.map((box) => (
        <Link
          key={box.box_id}
          data-row
          href={`/p/${encodeURIComponent(projectId)}/boxes/${box.box_id}`}
          className="list-row"
          title={box.box_id}
        >
          <BoxId code={boxPlate(box.box_id)} className="text-[12px] text-ink" />
          <span className="text-ink-2">{box.kind}</span>
          <span className="flex items-center gap-2 max-sm:order-last max-sm:w-full">
            <span className="truncate">{box.owner_title ?? <span className="text-ink-3">none</span>}</span>
            {box.owner_headcode === undefined ? null : <Plate code={box.owner_headcode} />}
            {box.run_number === undefined ? null : <span className="flex-none text-ink-3">run {box.run_number}</span>}
          </span>
          <span className="max-sm:hidden">
            <Consist cards={parseConsist(box.consist)} window={heaviest} notch={null} height={8} />
          </span>
          <span className="text-right max-sm:text-ink-3">
            {formatNumber(box.length)}
            <span className="sm:sr-only"> cards</span>
          </span>
          <b className="text-right max-sm:ml-auto">
            {formatNumber(box.token_sum)}
            <span className="sr-only"> tokens</span>
          </b>
          <span className="text-right text-ink-3 max-sm:hidden">
            <Ago at={box.created_at} />
          </span>
        </Link>
      ))}
    </>
  );
}

function NoBoxes({ hasFilter, onClear }: { hasFilter: boolean; onClear: () => void }) {
  return hasFilter ? (
    <NoFit
      title="No matching boxes"
      cause="This project has boxes, but none of this kind with these words."
      onClear={onClear}
    />
  ) : (
    <EmptyState
      size="page"
      title="No boxes yet"
      cause="Every turn creates boxes for what an agent gets and writes. Launch an agent, or drop a log here to import it."
    />
  );
}
