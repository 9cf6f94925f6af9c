"use client";

// The middle column of a pack: the document itself, each line with what it was made from, and struck through what did not fit.
import { formatCount, formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import type { PackSource } from "@/server/contract/context-pack/sidecar";
import { RedactedText } from "./redacted-text";
import type { PackLine, PackSection } from "./view/pack-document";
import { sourceWords } from "./view/source-words";

export type DocumentColumnProps = { projectId: string; sections: readonly PackSection[] };

export function DocumentColumn({ projectId, sections }: DocumentColumnProps) {
  return (
    <div className="cpack-desk" data-part="document">
      <article aria-label="Pack" className="waybill cpack-sheet">
        {sections.map((section) => (
          <section key={section.key} id={`section-${section.key}`} aria-labelledby={`title-${section.key}`}>
            <header className="cpack-section-head">
              <h2 id={`title-${section.key}`} className="font-[650] text-[13px]">
                {section.label}
              </h2>
              {section.shortened + section.dropped === 0 ? null : (
                <span className="flex items-center gap-1 text-ink-3 text-note">
                  <Icon name="cut" size={12} />
                  {cutWords(section)}
                </span>
              )}
              <span className="flex-1" />
              <span className="text-ink-2">
                {formatNumber(section.tokens)}
                <span className="sr-only"> tokens</span>
              </span>
            </header>
            <ul>
              {section.lines.map((line) => (
                <Line
                  key={`${line.pointer} ${line.key ?? ""}`}
                  projectId={projectId}
                  line={line}
                  isAlone={section.lines.length === 1}
                />
              ))}
            </ul>
          </section>
        ))}
      </article>
    </div>
  );
}

const cutWords = ({ shortened, dropped }: PackSection): string =>
  [shortened > 0 ? `${formatNumber(shortened)} shortened` : "", dropped > 0 ? `${formatNumber(dropped)} dropped` : ""]
    .filter(Boolean)
    .join(", ");

function Line({ projectId, line, isAlone }: { projectId: string; line: PackLine; isAlone: boolean }) {
  const { mark, text, note, excerpt, cut, isGone, isMono, tokens, sources } = line;
  return (
    <li className="cpack-line" data-gone={isGone || undefined}>
      <div className="min-w-0">
        <p className="flex gap-2">
          {mark === undefined ? null : <span className="cpack-mark">{mark}</span>}
          <span
            dir="auto"
            className={`min-w-0 break-words ${line.field === "docRefs" ? "line-clamp-2" : ""} ${isMono ? "mono leading-[18px]" : ""}`}
          >
            {isGone ? <s title={line.key}>{text}</s> : <RedactedText text={text} />}
            {cut && !isGone ? (
              <span className="ml-1.5 whitespace-nowrap font-ui text-ink-3 text-note">
                {formatNumber(cut.before)} to {formatNumber(cut.after)} bytes
              </span>
            ) : null}
          </span>
        </p>
        {note === undefined ? null : (
          <p dir="auto" className="text-ink-3 text-note">
            <RedactedText text={note} />
          </p>
        )}
        {excerpt === undefined || excerpt.trim() === text ? null : <Excerpt text={excerpt} isBegun={!isMono} />}
      </div>
      <div className="cpack-source">
        {isGone ? (
          <span className="text-ink-2">did not fit</span>
        ) : (
          sources.map((source) => <Source key={`${source.kind} ${source.ref}`} projectId={projectId} source={source} />)
        )}
      </div>
      <span className="text-right text-ink-3 text-note">
        {isAlone && !isGone ? null : (
          <>
            {formatNumber(tokens)}
            <span className="sr-only"> {isGone ? "tokens left out" : "tokens"}</span>
          </>
        )}
      </span>
    </li>
  );
}

const FOLDED_LINES = 3;

/** Long ones start folded: the document has to be seen as a whole. `isBegun`: how it begins stands above already. */
function Excerpt({ text, isBegun }: { text: string; isBegun: boolean }) {
  const lines = text.split("\n");
  if (lines.length <= FOLDED_LINES && text.length <= 240)
    return (
      <p dir="auto" className="cpack-excerpt">
        <RedactedText text={text} />
      </p>
    );
  return (
    <details className="cpack-fold">
      <summary>
        <span dir="auto" className="min-w-0 truncate">
          {isBegun ? "Excerpt" : <RedactedText text={lines.find((line) => line.trim() !== "") ?? ""} />}
        </span>
        <span className="flex-none text-ink-3">{formatCount(lines.length, "line")}</span>
      </summary>
      <p dir="auto" className="cpack-excerpt">
        <RedactedText text={text} />
      </p>
    </details>
  );
}

function Source({ projectId, source }: { projectId: string; source: PackSource }) {
  const { kind, text, href } = sourceWords(projectId, source);
  const inner = (
    <>
      <Icon name={icons[kind] ?? "text"} size={12} className="flex-none" />
      <span className="sr-only">{kind} </span>
      <span className="mono truncate">{text}</span>
    </>
  );
  if (href === undefined)
    return (
      <span className="cpack-from" title={source.ref}>
        {inner}
      </span>
    );
  return (
    <Link className="cpack-from hover:text-ink" href={href} title={source.ref} prefetch={false}>
      {inner}
    </Link>
  );
}

const icons: Record<string, "cards" | "boxes" | "packs" | "text" | "diff"> = {
  card: "cards",
  box: "boxes",
  pack: "packs",
  decision: "packs",
  evidence: "diff",
};
