// A query that cannot be read: where, and what to write instead. Nothing else is searched in its place.
import { type QueryFault, splitAt } from "./query-fault";
import "./fault-line.css";

export function FaultLine({ query, fault }: { query: string; fault: QueryFault }) {
  const { before, from } = splitAt(query, fault);
  return (
    <div role="alert" className="query-fault">
      <p className="mono break-words">
        <span>{before}</span>
        <mark>{from === "" ? " " : from}</mark>
      </p>
      <p>
        {fault.column > 0 ? <b>Column {fault.column}: </b> : null}
        {fault.message}
      </p>
    </div>
  );
}
