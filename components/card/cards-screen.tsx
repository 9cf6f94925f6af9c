"use client";

// All cards of a project, the newest first: by words, type, role and author. Search finds whole words, as on the web.
import { useQuery } from "@tanstack/react-query";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { authorName } from "@/components/domain/agent-names";
import { FaultLine } from "@/components/domain/fault-line";
import { ListFrame } from "@/components/domain/list-frame";
import { MarkedWords } from "@/components/domain/marked-words";
import { More } from "@/components/domain/more";
import { ViewMenu } from "@/components/domain/view-menu";
import { useTRPC } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { cardRoles } from "@/components/ui/card-role";
import { ToggleChip } from "@/components/ui/chip";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCompact, formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import type { ListColumn } from "@/components/ui/list-rows";
import { NoFit } from "@/components/ui/no-fit";
import { plainTitle } from "@/components/ui/plain-words";
import { RoleTag } from "@/components/ui/role-tag";
import { Select } from "@/components/ui/select";
import { SearchInput } from "@/components/ui/text-input";
import { Ago } from "@/components/ui/time";
import { useRested } from "@/components/ui/use-rested";
import { VerdictMark } from "@/components/ui/verdict-mark";
import type { CardLine, Facet } from "@/server/contract/line";
import { shortId } from "./lineage";
import { useCardList } from "./use-card-list";

const filters = {
  q: parseAsString.withDefault(""),
  type: parseAsString,
  role: parseAsStringLiteral(cardRoles),
  author: parseAsString,
};
const columns: readonly ListColumn[] = [
  { width: "20px" },
  { name: "Type", width: "190px" },
  { name: "First words", width: "minmax(0,1fr)" },
  { name: "Author", width: "170px" },
  { name: "Card", width: "84px" },
  { name: "Tokens", width: "76px", isRight: true },
  { name: "Written", width: "92px", isRight: true },
];

export function CardsScreen({ projectId }: { projectId: string }) {
  const trpc = useTRPC();
  const [filter, setFilter] = useQueryStates(filters);
  const words = useRested(filter.q);
  const wanted = { ...filter, q: words };
  const { cards, list, asked, fault, lookedAt } = useCardList(projectId, wanted);
  const facets = useQuery(trpc.card.facets.queryOptions({ project_id: projectId }, patient));
  const hasFilter = filter.q !== "" || filter.type !== null || filter.role !== null || filter.author !== null;
  const clear = () => void setFilter({ q: null, type: null, role: null, author: null });
  // Of the busiest authors; another one is called by its id, in its short form.
  const names = new Map(facets.data?.authors.map((facet) => [facet.value, facet.name]));
  const nameOf = (author: string) => authorName(author, names.get(author));
  const counts = new Map(facets.data?.roles.map((facet) => [facet.value, facet.cards]));

  return (
    <ListFrame
      title="Cards"
      what="list of cards"
      one="card"
      columns={columns}
      rowHeight={36}
      items={cards}
      query={list}
      none={<NoCards hasFilter={hasFilter} words={filter.q} lookedAt={lookedAt} onClear={clear} />}
      instead={fault === null ? undefined : <FaultLine {...fault} />}
      filters={
        <>
          <SearchInput
            label="Search in cards"
            className="w-64 max-sm:w-full"
            value={filter.q}
            maxLength={800}
            onChange={(q) => void setFilter({ q: q === "" ? null : q })}
          />
          {cardRoles.map((role) => (
            <ToggleChip
              key={role}
              isOn={filter.role === role}
              onChange={(isOn) => void setFilter({ role: isOn ? role : null })}
            >
              <RoleTag cardRole={role} />
              {role}
              {facets.data === undefined ? null : (
                <span className="font-[450] text-ink-3">{formatCompact(counts.get(role) ?? 0)}</span>
              )}
            </ToggleChip>
          ))}
          <Select
            label="Type"
            className="w-48 sm:h-6 sm:min-h-6 max-sm:flex-1"
            value={filter.type ?? all}
            onChange={(type) => void setFilter({ type: type === all ? null : type })}
            options={optionsOf("All types", facets.data?.types, filter.type)}
          />
          <Select
            label="Author"
            className="w-52 sm:h-6 sm:min-h-6 max-sm:flex-1"
            value={filter.author ?? all}
            onChange={(author) => void setFilter({ author: author === all ? null : author })}
            options={optionsOf("All authors", facets.data?.authors, filter.author, nameOf)}
          />
          <ViewMenu projectId={projectId} page="cards" query={fault === null ? (asked ?? "") : ""} />
          {facets.data === undefined || facets.data.is_all ? null : (
            <span className="text-ink-3 text-note">counts of the newest {formatNumber(facets.data.counted)}</span>
          )}
        </>
      }
    >
      {(cards) => (
        <>
          {cards.map((card) => (
            <Row
              key={card.card_id}
              projectId={projectId}
              card={card}
              author={nameOf(card.author_id)}
              words={list.isPlaceholderData ? "" : withoutFilters(words)}
            />
          ))}
          <More
            shown={cards.length}
            one="card"
            list={list}
            note={lookedAt === undefined ? null : `Looked at the newest ${formatNumber(lookedAt)}.`}
          />
        </>
      )}
    </ListFrame>
  );
}

type RowProps = { projectId: string; card: CardLine; author: string; words: string };

function Row({ projectId, card, author, words }: RowProps) {
  const shown = card.excerpt ?? plainTitle(card.title);
  return (
    <Link data-row href={`/p/${encodeURIComponent(projectId)}/cards/${card.card_id}`} className="list-row">
      <RoleTag cardRole={card.role} />
      <span className="mono truncate text-[11.5px]">{card.type}</span>
      <span className="flex items-center gap-2 max-sm:order-last max-sm:w-full">
        {card.redacted_from === undefined ? null : <VerdictMark verdict="redacted" size={13} className="flex-none" />}
        {card.gone === undefined ? (
          <span className="truncate" dir="auto">
            {shown === "" ? <span className="text-ink-3">empty</span> : <MarkedWords text={shown} query={words} />}
          </span>
        ) : (
          <s className="truncate text-ink-3">content {card.gone}</s>
        )}
      </span>
      <span className="truncate text-ink-2 max-sm:hidden" title={card.author_id}>
        {author}
      </span>
      <span className="mono truncate text-ink-3 max-sm:hidden">{shortId(card.card_id)}</span>
      <b className="text-right max-sm:ml-auto">
        {formatNumber(card.token_count)}
        <span className="sr-only"> tokens</span>
      </b>
      <span className="text-right text-ink-3">
        <Ago at={card.created_at} />
      </span>
    </Link>
  );
}

/** What may stand in a text: words and phrases. */
const withoutFilters = (query: string): string => query.replaceAll(/\S+:(?:\[[^\]]*\]|"[^"]*"|\S+)/g, "");

/** The select knows no empty value; no type and no author is called so. */
const all = "all:";

function optionsOf(
  allLabel: string,
  facets: readonly Facet[] | undefined,
  chosen: string | null,
  nameOf = (value: string) => value,
) {
  const known = facets ?? [];
  const missing = chosen !== null && !known.some((facet) => facet.value === chosen) ? [chosen] : [];
  return [
    { value: all, label: allLabel },
    ...missing.map((value) => ({ value, label: nameOf(value) })),
    ...known
      .filter((facet) => facet.value !== "")
      .map((facet) => ({
        value: facet.value,
        label: nameOf(facet.value),
        detail: formatNumber(facet.cards),
      })),
  ];
}

type NoCardsProps = { hasFilter: boolean; words: string; lookedAt: number | undefined; onClear: () => void };

function NoCards({ hasFilter, words, lookedAt, onClear }: NoCardsProps) {
  return hasFilter ? (
    <NoFit
      title="No matching cards"
      cause={
        words === ""
          ? "This project has cards, but none with this type, role and author."
          : lookedAt === undefined
            ? "Search finds whole words in any order. Use quotes for a phrase, a minus to leave out, and field:value to filter."
            : `Only the newest ${formatNumber(lookedAt)} cards were looked at. Name a type, a run or a time to look at fewer of them.`
      }
      onClear={onClear}
    />
  ) : (
    <EmptyState
      size="page"
      title="No cards yet"
      cause="Everything an agent reads or writes is a card. Launch an agent, or drop a log here to import it."
    />
  );
}
