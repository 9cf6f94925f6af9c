// A line of found text, with the words that were searched for marked in it.
import { Fragment } from "react";
import { hitRanges } from "@/server/contract/search-words";

export function MarkedWords({ text, query }: { text: string; query: string }) {
  const hits = hitRanges(text, query);
  return (
    <>
      {hits.map(({ from, to }, at) => (
        <Fragment key={from}>
          {text.slice(hits[at - 1]?.to ?? 0, from)}
          <mark className="hit">{text.slice(from, to)}</mark>
        </Fragment>
      ))}
      {text.slice(hits.at(-1)?.to ?? 0)}
    </>
  );
}
