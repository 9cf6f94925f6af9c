"use client";

// The drawing beside a version: what came, what went, and of what changed field by field, as text.
import { useEffect, useState } from "react";
import { lineDiff } from "@/components/ui/line-diff";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton";
import { VerdictMark } from "@/components/ui/verdict-mark";
import { nameOf } from "@/server/contract/plan/plan-words";
import { useComposer } from "../composer-context";
import type { Beside } from "./use-version-diff";
import type { ChangedNode } from "./version-diff";
import { markOf } from "./version-marks";

export type VersionPanelProps = { beside: Beside };

export function VersionPanel({ beside: { version, diff, error } }: VersionPanelProps) {
  return (
    <>
      <header className="border-line border-b px-4 py-3.5">
        <h2 className="text-title">Beside v{version}</h2>
        <p className="text-ink-3">What is drawn now, and what v{version} said.</p>
      </header>
      {error !== null ? (
        <Section>
          <p className="text-st-failed">{error}</p>
        </Section>
      ) : diff === null ? (
        <Section>
          <SkeletonRows count={5} rowHeight={28} label="Comparing" />
        </Section>
      ) : diff.nodes.length + diff.fields.length === 0 ? (
        <Section>
          <p>Nothing differs.</p>
        </Section>
      ) : (
        <>
          {diff.fields.length === 0 ? null : (
            <Section title="Of the plan itself">
              <p>{diff.fields.join(", ")}</p>
            </Section>
          )}
          {diff.nodes.map((node) => (
            <Changed key={node.id} node={node} />
          ))}
        </>
      )}
    </>
  );
}

function Changed({ node }: { node: ChangedNode }) {
  const { store } = useComposer();
  const [isOpen, setIsOpen] = useState(false);
  const { id, verdict, fields, was, now } = node;
  const name = now ?? was;
  return (
    <Section>
      <p className="flex items-center gap-2">
        <VerdictMark verdict={markOf[verdict]} label={null} />
        <button
          type="button"
          dir="auto"
          className="min-w-0 flex-1 truncate text-left font-semibold hover:underline"
          disabled={verdict === "removed"}
          onClick={() => store.select([id])}
        >
          {name ? nameOf(name) : id}
        </button>
        <span className="text-ink-3">{verdict}</span>
      </p>
      {fields.length === 0 ? null : <p className="mt-1 text-ink-3 text-note">{fields.join(", ")}</p>}
      <details className="mt-1" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className="text-ink-2">As text</summary>
        {isOpen ? <TextDiff was={was ?? null} now={now ?? null} /> : null}
      </details>
    </Section>
  );
}

function TextDiff({ was, now }: { was: unknown; now: unknown }) {
  const [texts, setTexts] = useState<[string, string] | null>(null);
  useEffect(() => {
    let isGone = false;
    void import("@/server/contract/plan/yaml/yaml-of").then(({ yamlOf }) => {
      if (!isGone) setTexts([was === null ? "" : yamlOf(was), now === null ? "" : yamlOf(now)]);
    });
    return () => {
      isGone = true;
    };
  }, [was, now]);
  if (texts === null) return <SkeletonRows count={4} rowHeight={18} label="Comparing" />;
  return (
    <ol className="mt-1 max-h-72 overflow-auto rounded-2 bg-well p-2">
      {lineDiff(...texts).map(({ kind, text }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
        <li key={i} data-diff={kind} className="diff-line mono">
          {kind === "same" ? "  " : kind === "removed" ? "- " : "+ "}
          {text}
        </li>
      ))}
    </ol>
  );
}
