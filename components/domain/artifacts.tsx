"use client";

// Files that a card refers to: pictures are shown, anything else is a download. The server decides what a picture is; here
// the size is taken from the card, so that nothing moves when the picture comes.
import { useState } from "react";
import { formatNumber } from "@/components/ui/format";
import { type ArtifactRef, isPicture } from "@/server/contract/artifact";
import "./artifacts.css";

export type ArtifactsProps = { projectId: string; artifacts: readonly ArtifactRef[] };

export function Artifacts({ projectId, artifacts }: ArtifactsProps) {
  if (artifacts.length === 0) return null;
  return (
    <ul className="artifacts" aria-label="Files">
      {artifacts.map((artifact) => (
        <li key={artifact.sha256}>
          <Artifact
            href={`/api/v1/projects/${encodeURIComponent(projectId)}/artifacts/${artifact.sha256}`}
            {...artifact}
          />
        </li>
      ))}
    </ul>
  );
}

function Artifact({ href, ...artifact }: ArtifactRef & { href: string }) {
  const [isMissing, setIsMissing] = useState(false);
  const { mime, size, width, height } = artifact;
  const bytes = `${formatNumber(size)} bytes`;
  if (!isPicture(artifact))
    return (
      <a className="link" href={href} download>
        Download {mime}, {bytes}
      </a>
    );
  const told = `${mime}, ${width} × ${height}, ${bytes}`;
  if (isMissing)
    return <p className="text-ink-3">The picture ({told}) could not be loaded. Reload the page to try again.</p>;
  return (
    <a href={href} target="_blank" rel="noreferrer" title={told}>
      {/* biome-ignore lint/performance/noImgElement: bytes of one project behind its own address; nothing to optimise. */}
      <img
        src={href}
        alt={`Picture, ${told}`}
        width={width}
        height={height}
        loading="lazy"
        onError={() => setIsMissing(true)}
      />
    </a>
  );
}
