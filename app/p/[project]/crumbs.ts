// From an address to what stands after the project in the top bar.
import type { Crumb } from "@/components/shell/shell-links";
import { boxPlate } from "@/server/contract/box";

const words: Record<string, string> = {
  agents: "Agents",
  batches: "Batches",
  boxes: "Boxes",
  cards: "Cards",
  env: "Environment data",
  inbox: "Inbox",
  profiles: "Profiles",
  turns: "Turns",
};

/** The yard has none: which run is shown is chosen there. */
export function crumbsOf(pathname: string): Crumb[] {
  const [, , project = "", section = "", thing = ""] = pathname.split("/");
  const label = words[section];
  if (label === undefined) return [];
  const list: Crumb = { label, href: `/p/${project}/${section}` };
  if (thing === "") return [list];
  const name = decodeURIComponent(thing);
  if (section === "boxes") return [list, { plate: boxPlate(name), label: "" }];
  return [list, { label: name.length > 28 ? `…${name.slice(-12)}` : name }];
}
