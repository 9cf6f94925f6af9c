// References that a pack may carry: named artifacts, cards and boxes of the project, and paths of the repository.
import { parseArtifactName } from "@/server/contract/context-pack/artifact-name";
import { Id } from "@/server/contract/ids";
import { BuildFault } from "./outcome";
import { repoPath } from "./paths";

const refuse = (field: string, cause: string): never => {
  throw new BuildFault("invalid_input", `${field}: ${cause}`, { field });
};

const schemeOf = (ref: string): string | undefined => /^([A-Za-z][A-Za-z0-9+.-]{0,31}):/.exec(ref)?.[1]?.toLowerCase();

export function checkReference(ref: string, field: string): void {
  const scheme = schemeOf(ref);
  if (scheme === undefined) repoPath(ref, field);
  else if (scheme === "artifact") {
    const parsed = parseArtifactName(ref);
    if ("fault" in parsed) refuse(field, parsed.fault);
  } else if (scheme === "card" || scheme === "box") {
    const id = ref.slice(`${scheme}://`.length);
    if (!ref.startsWith(`${scheme}://`) || !Id.safeParse(id).success)
      refuse(field, `is not a reference to a ${scheme}. Write ${scheme}://<id>`);
  } else refuse(field, `begins with "${scheme}:". Use artifact://, card://, box:// or a path of the repository`);
}

/** Whether what it names exists is asked when an output is checked. */
export function checkSchemaReference(ref: string | undefined, field: string): void {
  const scheme = ref === undefined ? undefined : schemeOf(ref);
  if (ref === undefined || ["schema", "http", "https"].includes(scheme ?? "")) return;
  if (scheme === undefined) repoPath(ref, field);
  else if (scheme === "artifact") checkReference(ref, field);
  else refuse(field, `begins with "${scheme}:". Use artifact:, schema:, http:, https: or a relative path`);
}

/** The path, if it is one of the repository. */
export const pathOfSchema = (ref: string): string | null =>
  schemeOf(ref) === undefined ? repoPath(ref, "outputSchemaRef") : null;
