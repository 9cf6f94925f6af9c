// The most frequent values among the hits: each adds itself to the query, or takes itself away again.
import { authorName } from "@/components/domain/agent-names";
import { formatNumber } from "@/components/ui/format";
import { plainWords } from "@/components/ui/plain-words";
import type { QueryFacetValue, QueryGroup } from "@/server/contract/query-search";
import { addFilter, removeFilter } from "@/server/contract/search-query/edit-filter";
import { parseQuery } from "@/server/contract/search-query/parse-query";
import { printQuery } from "@/server/contract/search-query/print-query";
import { kindNames } from "./search-words";

export type FacetColumnProps = { groups: readonly QueryGroup[]; query: string; onQuery: (query: string) => void };

/** Values of a field before the rest is asked for by typing. */
const SHOWN = 8;

export function FacetColumn({ groups, query, onQuery }: FacetColumnProps) {
  const known = groups.flatMap((group) =>
    group.facets && group.items.length > 0 ? [{ ...group, facets: group.facets }] : [],
  );
  return (
    <aside aria-label="Narrow the search" className="search-facets">
      {known.map(({ kind, facets }) => (
        <section key={kind}>
          <h2 className="text-ink-3">
            {kindNames[kind]}
            {facets.is_all ? "" : `, of the newest ${formatNumber(facets.looked_at)}`}
          </h2>
          {facets.fields.map(({ field, values }) => (
            <div key={field} className="search-facet">
              <h3 className="font-semibold">{field}</h3>
              <ul>
                {values.slice(0, SHOWN).map((value) => (
                  <Value key={value.filter} field={field} value={value} query={query} onQuery={onQuery} />
                ))}
              </ul>
            </div>
          ))}
        </section>
      ))}
    </aside>
  );
}

type ValueProps = { field: string; value: QueryFacetValue; query: string; onQuery: (query: string) => void };

function Value({ field, value, query, onQuery }: ValueProps) {
  const { filter, count } = value;
  const label = labelOf(field, value);
  const edit = { query, filter: { text: filter }, now: new Date() };
  const added = addFilter(edit);
  const plain = parseQuery(query, edit);
  // Adding what is there already changes nothing.
  const isOn = added.isRead && plain.isRead && added.query === printQuery(plain.tree);
  const next = isOn ? removeFilter(edit) : added;
  return (
    <li>
      <button
        type="button"
        aria-pressed={isOn}
        title={field === "run" ? label : value.value}
        disabled={!next.isRead}
        onClick={() => {
          if (next.isRead) onQuery(next.query);
        }}
      >
        <span className="min-w-0 flex-1 truncate">{label}</span>
        <span className="text-ink-3">{formatNumber(count)}</span>
      </button>
    </li>
  );
}

/** A run is a number and an agent an id in the filter: read as they are, they said nothing. */
function labelOf(field: string, { value, name }: QueryFacetValue): string {
  if (field === "run") return name === undefined ? `Run ${value}` : `Run ${value}: ${plainWords(name)}`;
  return field === "agent" || field === "author" ? authorName(value, name) : value;
}
