// The one envelope that a gate passes on: what each input said, in the order in which the gate declares them, with their origin.
import type { Envelope } from "@/server/contract/context-pack/envelope";
import { bareDigest, type OpenObject } from "@/server/contract/context-pack/forms";
import type { JoinGate, JoinStatus } from "@/server/contract/context-pack/join-gate";
import { joinPayloadId } from "./ids";
import { BuildFault } from "./outcome";

type Closing = {
  gate: JoinGate;
  outEdgeId: string;
  number: number;
  joinStatus: JoinStatus;
  /** Of the log: when the last counted payload was created, or the deadline. */
  createdAt: string;
  /** In declared order. */
  used: Envelope[];
  /** Of edges that the gate does not declare, by time. */
  extras: Envelope[];
};

export function aggregate({ gate, outEdgeId, number, joinStatus, createdAt, used, extras }: Closing): Envelope {
  const all = [...used, ...extras];
  const artifacts = selects(gate, "artifacts") ? unitedArtifacts(all) : [];
  return {
    payloadId: joinPayloadId(
      gate.id,
      number,
      all.map(({ payloadId }) => payloadId),
    ),
    kind: "join",
    fromNodeId: gate.id,
    edgeId: outEdgeId,
    createdAt,
    status: statusOf(gate, joinStatus, all),
    structured: { aggregated: all.map((one) => selected(gate, one)), joinStatus },
    ...(artifacts.length > 0 && { artifacts }),
    provenance: {
      inputs: all.map(({ fromNodeId, edgeId, payloadId, createdAt: ts }) => ({ fromNodeId, edgeId, payloadId, ts })),
    },
  };
}

function statusOf({ onTimeout }: JoinGate, joinStatus: JoinStatus, all: Envelope[]): Envelope["status"] {
  if (joinStatus !== "complete" && onTimeout === "fail") return { ok: false, code: "join_timeout" };
  if (all.some(({ status }) => !status.ok)) return { ok: false, code: "upstream_failed" };
  return joinStatus === "timeout" ? { ok: false, code: "join_timeout" } : { ok: true };
}

const selects = ({ outputSelector = "composite" }: JoinGate, part: "message" | "structured" | "artifacts"): boolean =>
  outputSelector === "composite" || outputSelector === part;

function selected(gate: JoinGate, { fromNodeId, edgeId, payloadId, kind, status, ...rest }: Envelope): OpenObject {
  const entry = {
    fromNodeId,
    edgeId,
    payloadId,
    kind,
    status,
    message: selects(gate, "message") ? rest.message : undefined,
    structured: selects(gate, "structured") ? rest.structured : undefined,
    artifacts: selects(gate, "artifacts") ? rest.artifacts?.map(({ ref }) => ref) : undefined,
  };
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)) as OpenObject;
}

type Artifact = NonNullable<Envelope["artifacts"]>[number];

/** Each reference once. Artifacts never change, so one with two digests is an error. */
function unitedArtifacts(all: Envelope[]): Artifact[] {
  const byRef = new Map<string, Artifact>();
  for (const artifact of all.flatMap(({ artifacts = [] }) => artifacts)) {
    const known = byRef.get(artifact.ref);
    const [a, b] = [known?.sha256, artifact.sha256].map((digest) => digest && bareDigest(digest));
    if (a && b && a !== b)
      throw new BuildFault(
        "artifact_conflict",
        `artifacts: ${artifact.ref} has two digests. Give the new content a new name`,
        {
          ref: artifact.ref,
          sha256: [a, b].sort(),
        },
      );
    byRef.set(artifact.ref, { ...artifact, ...known, sha256: known?.sha256 ?? artifact.sha256 });
  }
  return [...byRef.values()].map((one) => (one.sha256 === undefined ? withoutDigest(one) : one));
}

const withoutDigest = ({ sha256: _, ...rest }: Artifact): Artifact => rest;
