// Where the sections of a project are, and which of them an address belongs to. Pure: the address is the only state.
import type { IconName } from "@/components/ui/icon";

export type Section =
  | "yard"
  | "runs"
  | "search"
  | "agents"
  | "boxes"
  | "cards"
  | "batches"
  | "packs"
  | "plans"
  | "profiles"
  | "env"
  | "alarms"
  | "inbox";

export type SectionLink = {
  section: Section;
  label: string;
  icon: IconName;
  href: string;
  /** Goes there from anywhere in the project. */
  keys: string;
  /** Further words that the palette finds it by. */
  words?: string;
};

/** Of what needs a person. */
export type SectionCounts = Partial<Record<Section, number>>;

/** "Inbox, 2 need a person" */
export const countLabel = (label: string, count: number | undefined): string =>
  count === undefined || count === 0 ? label : `${label}, ${count} ${count === 1 ? "needs" : "need"} a person`;

export type ShellProject = { project_id: string; title: string };

export type Crumb = {
  label: string;
  /** A headcode or box number in front of the label. */
  plate?: string;
  /** Absent at the last one: one is there already. */
  href?: string;
};

/** A project id is free text, so it is escaped here and nowhere else. */
export function projectHref(projectId: string, path = ""): string {
  return `/p/${encodeURIComponent(projectId)}${path}`;
}

export function sectionLinks(projectId: string): SectionLink[] {
  return [
    { section: "yard", label: "Yard", icon: "yard", href: projectHref(projectId), keys: "g y" },
    { section: "runs", label: "Runs", icon: "turns", href: projectHref(projectId, "/runs"), keys: "g r" },
    {
      section: "search",
      label: "Search",
      icon: "search",
      href: projectHref(projectId, "/search"),
      keys: "g q",
      words: "find query language fields filter facets counts cards turns boxes",
    },
    { section: "agents", label: "Agents", icon: "agents", href: projectHref(projectId, "/agents"), keys: "g a" },
    { section: "boxes", label: "Boxes", icon: "boxes", href: projectHref(projectId, "/boxes"), keys: "g b" },
    { section: "cards", label: "Cards", icon: "cards", href: projectHref(projectId, "/cards"), keys: "g c" },
    { section: "batches", label: "Batches", icon: "batches", href: projectHref(projectId, "/batches"), keys: "g f" },
    { section: "packs", label: "Context packs", icon: "packs", href: projectHref(projectId, "/packs"), keys: "g k" },
    { section: "plans", label: "Plans", icon: "plans", href: projectHref(projectId, "/plans"), keys: "g d" },
    {
      section: "profiles",
      label: "Profiles",
      icon: "profiles",
      href: projectHref(projectId, "/profiles"),
      keys: "g p",
    },
    {
      section: "env",
      label: "Environment data",
      icon: "database",
      href: projectHref(projectId, "/env"),
      keys: "g e",
    },
    { section: "alarms", label: "Alarms", icon: "warn", href: projectHref(projectId, "/alarms"), keys: "g l" },
    { section: "inbox", label: "Inbox", icon: "inbox", href: projectHref(projectId, "/inbox"), keys: "g i" },
  ];
}

/** "/p/demo/boxes/4e7a" is in boxes, "/p/demo" in the yard, "/" in none. */
export function sectionOf(pathname: string): Section | null {
  const [, root, project, section] = pathname.split("/");
  if (root !== "p" || project === undefined || project === "") return null;
  if (section === undefined || section === "") return "yard";
  if (section === "compose") return "plans";
  return sections.find((known) => known === section) ?? null;
}

/** What stands in an address; the yard is where none of them does. */
const sections: readonly Exclude<Section, "yard">[] = [
  "runs",
  "search",
  "agents",
  "boxes",
  "cards",
  "batches",
  "packs",
  "plans",
  "profiles",
  "env",
  "alarms",
  "inbox",
];
