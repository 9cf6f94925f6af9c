// What can be asked, before anything is: each example is a query to begin with.
import { examples } from "./search-words";

export function ExampleList({ onChoose }: { onChoose: (query: string) => void }) {
  return (
    <section aria-labelledby="search-examples" className="search-examples">
      <h2 id="search-examples" className="font-semibold">
        Search cards, turns, boxes and everything else of this project
      </h2>
      <p className="text-ink-2">
        Words find what has all of them. Quotation marks keep words together, <span className="mono">OR</span> takes
        either, <span className="mono">-</span> leaves out, and <span className="mono">field:value</span> filters.
      </p>
      <ul>
        {examples.map(({ query, finds }) => (
          <li key={query}>
            <button type="button" className="search-example" onClick={() => onChoose(query)}>
              <span className="mono">{query}</span>
              <span className="text-ink-3">{finds}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
