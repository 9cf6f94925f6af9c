// A query that cannot be read: where, and what to write instead. Nothing else is searched in its place.
import type { Fault } from "./search-words";
import { splitAt } from "./search-words";

export function FaultLine({ query, fault }: { query: string; fault: Fault }) {
  const { before, from } = splitAt(query, fault);
  return (
    <div role="alert" className="search-fault">
      <p className="mono break-words">
        <span>{before}</span>
        <mark>{from === "" ? " " : from}</mark>
      </p>
      <p>
        <b>Column {fault.column}:</b> {fault.message}
      </p>
    </div>
  );
}
