"use client";

// The frame of every page: rail, top bar, the content, and on a phone five tabs at the thumb.
// Every prop can be sent from a server component; what is where comes from the address.
import { useRouter } from "next/navigation";
import { type ReactNode, useCallback, useMemo, useState } from "react";
import { useOpenPalette } from "@/components/ui/commands";
import { loadDialog } from "@/components/ui/dialog";
import { useFetchAtRest } from "@/components/ui/lazy-part";
import { loadMarkdown } from "@/components/ui/markdown-view";
import { loadMenu } from "@/components/ui/menu";
import { useShortcut } from "@/components/ui/shortcuts";
import { loadTooltip } from "@/components/ui/tooltip";
import type { Project } from "@/server/contract/project";
import { BottomTabs } from "./bottom-tabs";
import { LazyPalette } from "./lazy-palette";
import { NavRail } from "./nav-rail";
import type { ShellPerson } from "./person-menu";
import { ShellCommands } from "./shell-commands";
import { type Crumb, type SectionCounts, type SectionLink, type ShellProject, sectionLinks } from "./shell-links";
import { ShortcutHelp } from "./shortcut-help";
import { type LaunchTone, TopBar } from "./top-bar";

type ShellTarget = ShellProject & Pick<Project, "status">;

export type AppShellProps = {
  /** Absent where no project is open: then nothing can be launched and the rail has no sections. */
  project?: ShellProject;
  /** Archived ones are not offered. */
  projects?: readonly ShellTarget[];
  /** What stands after the project, from the outside in. */
  crumbs?: readonly Crumb[];
  person: ShellPerson;
  counts?: SectionCounts;
  /** `plain` where another action of the view is the lamp-coloured one, `none` where the view has a launch of its own. */
  launchTone?: LaunchTone;
  /** A line below the top bar that stays: "Demo project". */
  banner?: ReactNode;
  /** Floats above the content: the connection banner. */
  overlay?: ReactNode;
  children: ReactNode;
};

export function AppShell({
  project,
  projects: all = noProjects,
  crumbs = noCrumbs,
  person,
  counts,
  launchTone = "primary",
  banner,
  overlay,
  children,
}: AppShellProps) {
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const openPalette = useOpenPalette();
  useFetchAtRest(parts);
  const router = useRouter();
  const projectId = project?.project_id;
  const links = useMemo(() => (projectId === undefined ? [] : sectionLinks(projectId)), [projectId]);
  const projects = useMemo(() => all.filter(({ status }) => status !== "archived"), [all]);
  const openHelp = useCallback(() => setIsHelpOpen(true), []);
  useShortcut("mod+k", "Search or command", () => openPalette());
  useShortcut("?", "All shortcuts", openHelp);
  useShortcut("g h", "Projects", () => router.push("/"), { group: "Go to" });
  useShortcut("g s", "Health", () => router.push("/health"), { group: "Go to" });
  return (
    <div className="app-shell">
      <a href="#content" className="skip-link">
        Skip to the content
      </a>
      <NavRail links={links} person={person} counts={counts} onHelp={openHelp} />
      <div className="flex min-h-0 min-w-0 flex-col">
        <TopBar
          project={project}
          projects={projects}
          crumbs={crumbs}
          launchTone={launchTone}
          links={links}
          person={person}
          counts={counts}
          onSearch={() => openPalette()}
        />
        {banner}
        <main id="content" tabIndex={-1} className="relative flex min-h-0 flex-1 flex-col overflow-auto outline-none">
          {children}
        </main>
      </div>
      <BottomTabs links={links} hasLaunch={launchTone !== "none"} />
      {overlay === undefined ? null : <div className="shell-overlay">{overlay}</div>}
      <SectionShortcuts links={links} />
      <ShellCommands links={links} projects={projects} person={person} onHelp={openHelp} />
      <ShortcutHelp isOpen={isHelpOpen} onOpenChange={setIsHelpOpen} />
      <LazyPalette scope={project?.title} />
    </div>
  );
}

/** What opens from almost every page. */
const parts = [loadDialog, loadMenu, loadTooltip, loadMarkdown];

const noProjects: readonly ShellTarget[] = [];
const noCrumbs: readonly Crumb[] = [];

function SectionShortcuts({ links }: { links: readonly SectionLink[] }) {
  return links.map((link) => <SectionShortcut key={link.section} link={link} />);
}

function SectionShortcut({ link }: { link: SectionLink }) {
  const router = useRouter();
  useShortcut(link.keys, link.label, () => router.push(link.href), { group: "Go to" });
  return null;
}
