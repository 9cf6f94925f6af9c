"use client";

// What a pack is rebuilt from: versions, digests, and the sources of the whole.
import { CopyButton } from "@/components/ui/copy-button";
import { FactLines } from "@/components/ui/facts";
import { formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { PackRecord } from "@/server/contract/context-pack/record";
import type { Sidecar } from "@/server/contract/context-pack/sidecar";
import { type SourceWords, sourceWords } from "./view/source-words";

export type ReplayFactsProps = { projectId: string; record: PackRecord; sidecar: Sidecar };

export function ReplayFacts({ projectId, record, sidecar }: ReplayFactsProps) {
  const whole = sidecar.sources.filter(({ pointer }) => pointer === "");
  const mono = (text: string) => <span className="mono break-all">{text}</span>;
  return (
    <Section title="Replay">
      <FactLines
        labelWidth={92}
        facts={[
          {
            name: "Digest",
            value: (
              <span className="flex items-center gap-1">
                {mono(`${record.sha256.slice(0, 8)}…${record.sha256.slice(-4)}`)}
                <CopyButton text={record.sha256} label="Copy the digest" size="sm" />
              </span>
            ),
          },
          { name: "Builder", value: mono(`version ${sidecar.builderVersion}`) },
          { name: "Rules", value: mono(sidecar.rulesetVersion) },
          {
            name: "Estimator",
            value: (
              <>
                {mono(sidecar.estimator)} {formatNumber(sidecar.estimate)} tokens
              </>
            ),
          },
          { name: "Pack id", value: mono(record.pack_id) },
          { name: "Artifact", value: mono(record.artifact_ref) },
          { name: "Sources", value: formatNumber(sidecar.sources.length) },
        ]}
      />
      {whole.length === 0 ? null : (
        <>
          <h3 className="mt-3 mb-1 text-ink-3">{record.kind === "merged" ? "Merged from" : "Of the whole"}</h3>
          <ul className="flex flex-col gap-1">
            {whole.map((source) => (
              <li key={`${source.kind} ${source.ref}`} className="break-all">
                <Whole words={sourceWords(projectId, source)} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

function Whole({ words: { kind, text, href } }: { words: SourceWords }) {
  if (href === undefined)
    return (
      <>
        {kind} <span className="mono">{text}</span>
      </>
    );
  return (
    <>
      {kind}{" "}
      <Link className="link mono" href={href} prefetch={false}>
        {text}
      </Link>
    </>
  );
}
