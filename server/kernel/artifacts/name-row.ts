// A name of an artifact as it is stored.
import type { NamedArtifact } from "@/server/contract/context-pack/named-artifact";

export type NameRow = {
  area: string;
  name: string;
  sha256: string;
  mime: string;
  size: number;
  created_at: string;
  created_by: string;
};

/** Of `resource.artifact_names n`. */
export const NAME_COLUMNS = "n.area, n.name, n.sha256, n.mime, n.size, n.created_at, n.created_by";

export const toNamed = ({ created_at, ...row }: NameRow): NamedArtifact => ({
  ref: `artifact://${row.area}/${row.name}`,
  ...row,
  created_at: new Date(created_at).toISOString(),
});
