// The formats as JSON Schema (draft 2020-12), for people who write packs and envelopes with other programs.
import * as z from "zod";
import { ArtifactName } from "./artifact-name";
import { Envelope } from "./envelope";
import { JoinGate } from "./join-gate";
import { ContextPack } from "./pack";
import { Sidecar } from "./sidecar";

const published = {
  "context-pack.schema.json": { shape: ContextPack, title: "Context pack" },
  "edge-payload.schema.json": { shape: Envelope, title: "Envelope: one result on an edge" },
  "context-pack-sidecar.schema.json": { shape: Sidecar, title: "Sidecar of a context pack" },
  "artifact-reference.schema.json": { shape: ArtifactName, title: "Reference to an artifact" },
  "join-gate.schema.json": { shape: JoinGate, title: "Join gate" },
} satisfies Record<string, { shape: z.ZodType; title: string }>;

export type SchemaName = keyof typeof published;
export const schemaNames = Object.keys(published) as SchemaName[];

export function jsonSchemaOf(name: SchemaName): Record<string, unknown> {
  const { shape, title } = published[name];
  const { $schema, id: _, ...schema } = z.toJSONSchema(shape, { io: "input", target: "draft-2020-12" });
  return { $schema, $id: `urn:switchyard:schemas:${name}`, title, ...schema };
}
