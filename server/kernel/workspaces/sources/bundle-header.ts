// The head of a git bundle: text that ends with an empty line, then the pack. Says which commit to read, or why there is none.
import { SourceFault } from "@/server/kernel/workspaces/sources/source";

export const HEADER_BYTES_MAX = 1024 * 1024;
const OID = /^[0-9a-f]{40}$/;

/** `head`: the bundle's first bytes, up to the empty line and without it. */
export function commitOf(head: string): string {
  const [first = "", ...lines] = head.split("\n");
  if (first !== "# v2 git bundle" && first !== "# v3 git bundle")
    throw refused("it is no git bundle of version 2 or 3");
  const refs = new Map<string, string>();
  for (const line of lines) {
    if (line.startsWith("@")) refuseCapability(line);
    else if (line.startsWith("-")) throw refused("it needs commits that it doesn't hold");
    else {
      const cut = line.indexOf(" ");
      const oid = line.slice(0, cut);
      if (!OID.test(oid)) throw refused("its list of references is damaged");
      refs.set(line.slice(cut + 1), oid);
    }
  }
  const only = refs.size === 1 ? [...refs.values()][0] : undefined;
  const commit = refs.get("HEAD") ?? only;
  if (commit) return commit;
  throw refused(refs.size === 0 ? "it names no reference" : "it names several references and no HEAD");
}

function refuseCapability(line: string): void {
  if (line.startsWith("@filter=")) throw refused("it was made with a filter, so files are missing");
  if (line !== "@object-format=sha1") throw refused(`it has ${line.slice(0, 80)}, which can't be read`);
}

export const refused = (cause: string) =>
  new SourceFault("workspace_refused", `the bundle: ${cause}. Make it again with git bundle create x.bundle HEAD`);
