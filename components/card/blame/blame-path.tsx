// The path of some words, from where they stand to who said them first: one card under the other.
import { formatCount, formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Plate } from "@/components/ui/plate";
import type { BlameAnswer, BlameHop, BlamePlace } from "@/server/contract/blame";
import { coverageText, endWords, evidenceWords } from "./blame-words";
import { traceOf } from "./selected-range";

export function BlamePath({ projectId, answer }: { projectId: string; answer: BlameAnswer }) {
  const { start, hops, end, file, is_partial, looked_at } = answer;
  return (
    <>
      <ol className="blame-path" aria-label="Path of the words">
        {start === undefined ? null : (
          <li>
            <p className="text-ink-3">These words</p>
            <Words projectId={projectId} place={start} />
          </li>
        )}
        {hops.map((hop) => (
          <Hop key={`${hop.card_id} ${hop.range.start}`} projectId={projectId} hop={hop} />
        ))}
        <li data-end>
          <p className="font-semibold">
            {endWords[end]}
            {file === undefined ? null : <span className="mono block break-all font-normal">{file}</span>}
          </p>
        </li>
      </ol>
      <p className="mt-1.5 text-ink-3 text-note">
        {is_partial ? "Not everything was looked at: " : "Looked at "}
        {formatCount(looked_at.cards, "card")} of {formatCount(looked_at.turns, "turn")}.
      </p>
    </>
  );
}

function Hop({ projectId, hop }: { projectId: string; hop: BlameHop }) {
  const { headcode, profile_name, evidence, coverage, others, found, type } = hop;
  const share = coverageText(coverage);
  return (
    <li>
      <p className="flex flex-wrap items-center gap-x-1.5">
        {headcode === undefined ? null : <Plate code={headcode} tone="bare" />}
        {profile_name === undefined ? null : <span>{profile_name}</span>}
        <span className="mono text-ink-2">{type}</span>
        <span className="text-ink-3">
          {evidenceWords[evidence]}
          {share === null ? "" : `, ${share} of them`}
        </span>
      </p>
      <Words projectId={projectId} place={hop} />
      {others.length === 0 ? null : (
        <details className="text-note">
          <summary className="text-ink-3">
            {formatNumber(found - 1)} other {found === 2 ? "card carries" : "cards carry"} them
          </summary>
          <ul>
            {others.map((other) => (
              <li key={other.card_id} className="mt-1">
                <span className="mono text-ink-3">{other.type}</span>{" "}
                <span className="text-ink-3">{coverageText(other.coverage) ?? "all of them"}</span>
                <Words projectId={projectId} place={other} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

/** Leads to the card, and on from there: its own page asks the same of the same words. */
function Words({ projectId, place }: { projectId: string; place: BlamePlace }) {
  return (
    <Link
      className="blame-words"
      prefetch={false}
      href={`/p/${encodeURIComponent(projectId)}/cards/${encodeURIComponent(place.card_id)}?trace=${encodeURIComponent(traceOf(place.card_id, place.range))}`}
    >
      <span dir="auto">{place.words}</span>
    </Link>
  );
}
