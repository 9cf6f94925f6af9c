// From a URL to what follows the project in the top bar.
import { type Crumb, sectionLinks } from "@/components/shell/shell-links";
import { boxPlate } from "@/server/contract/box";
import { packCode } from "@/server/contract/context-pack/pack-code";

/** A turn and a batch have a plate; while it is not known they are called what they are, not by a row of digits. */
const plated: Record<string, string> = { turns: "Turn", batches: "Batch" };

/** The yard has none: which run is shown is chosen there. `plate` is that of the turn or batch that the address names. */
export function crumbsOf(pathname: string, plate?: string): Crumb[] {
  const [, , project = "", asked = "", thing = "", part = ""] = pathname.split("/");
  // What is drawn is a plan.
  const section = asked === "compose" ? "plans" : asked;
  if (asked === "compose" && thing === "")
    return [{ label: "Plans", href: `/p/${project}/plans` }, { label: "New plan" }];
  if (section === "search") return [{ label: "Search" }];
  if (section === "compare") return [{ label: "Compare runs" }];
  const label = section === "turns" ? "Turns" : sectionLinks("").find((link) => link.section === section)?.label;
  if (label === undefined) return [];
  const list: Crumb = { label, href: `/p/${project}/${section}` };
  if (thing === "") return [list];
  const name = decodeURIComponent(thing);
  if (section === "packs" && name === "workspaces") return [list, { label: "Workspaces" }];
  if (section === "packs" && name === "new") return [list, { label: "Build a pack" }];
  if (section === "packs" && /^[0-9a-f]{64}$/.test(name)) return [list, { plate: packCode(name), label: "" }];
  // Its number is not in the address; its page says it.
  if (section === "runs" && part === "transcript") return [list, { label: "Transcript" }];
  if (section === "boxes") return [list, { plate: boxPlate(name), label: "" }];
  const kind = plated[section];
  if (kind !== undefined) {
    const href = part === "" ? undefined : `/p/${project}/${section}/${thing}`;
    const one: Crumb = plate === undefined ? { label: kind, href } : { plate, label: "", href };
    return part === "handover" ? [list, one, { label: "Hand-over" }] : [list, one];
  }
  // An agent's id is its profile's name and a row of digits, of which the last four tell it apart, as in its own head.
  if (section === "agents") return [list, { label: name.replace(/_[0-9a-f]{28}(?=[0-9a-f]{4}$)/, " ") }];
  return [list, { label: name.length > 28 ? `…${name.slice(-12)}` : name }];
}
