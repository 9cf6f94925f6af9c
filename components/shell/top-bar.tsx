"use client";

// Where one is, the way to everything else, and the one lamp-coloured action.
import { Fragment } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Icon } from "@/components/ui/icon";
import { Kbd } from "@/components/ui/kbd";
import { Link } from "@/components/ui/link";
import { Logo } from "@/components/ui/logo";
import { Plate } from "@/components/ui/plate";
import { useShortcut } from "@/components/ui/shortcuts";
import { useLaunchWith } from "@/components/ui/use-launch-with";
import type { ShellPerson } from "./person-menu";
import { PhoneMenu } from "./phone-menu";
import { ProjectSwitcher } from "./project-switcher";
import {
  type Crumb,
  countLabel,
  projectHref,
  type SectionCounts,
  type SectionLink,
  type ShellProject,
} from "./shell-links";

export type LaunchTone = "primary" | "plain" | "none";

export type TopBarProps = {
  project?: ShellProject;
  projects: readonly ShellProject[];
  crumbs: readonly Crumb[];
  links: readonly SectionLink[];
  person: ShellPerson;
  /** What needs a person: a phone has no rail to say it at. */
  counts?: SectionCounts;
  launchTone: LaunchTone;
  onSearch: () => void;
};

export function TopBar({ project, projects, crumbs, launchTone, links, person, counts, onSearch }: TopBarProps) {
  const needsPerson = counts?.inbox ?? 0;
  return (
    <header className="top-bar">
      <Link href="/" aria-label="Projects" className="sm:hidden">
        <Logo size={26} />
      </Link>
      <nav aria-label="Breadcrumbs" className="flex min-w-0 flex-1 items-center gap-[7px]">
        {project === undefined ? (
          <b>Switchyard</b>
        ) : (
          <ProjectSwitcher project={project} projects={projects} isDeep={crumbs.length > 0} />
        )}
        {project === undefined || crumbs.length === 0 ? null : (
          <Link
            href={crumbs.at(-2)?.href ?? projectHref(project.project_id)}
            aria-label="Back"
            className="-mx-1.5 grid h-11 w-9 place-items-center text-ink-2 sm:hidden"
          >
            <Icon name="left" size={19} />
          </Link>
        )}
        {crumbs.map((crumb, index) => (
          <Fragment key={`${crumb.plate ?? ""}${crumb.label}`}>
            <span aria-hidden className="text-ink-3 max-sm:hidden">
              /
            </span>
            <CrumbText crumb={crumb} isLast={index === crumbs.length - 1} />
          </Fragment>
        ))}
      </nav>
      {project === undefined || needsPerson === 0 ? null : (
        <Link
          href={projectHref(project.project_id, "/inbox?view=people")}
          aria-label={countLabel("Inbox", needsPerson)}
          className="rail-item top-bar-asked sm:hidden"
        >
          <Icon name="inbox" size={19} />
          <span aria-hidden className="rail-count">
            {Math.min(needsPerson, 99)}
          </span>
        </Link>
      )}
      <button type="button" className="search-button" aria-label="Search or command" onClick={onSearch}>
        <Icon name="search" size={14} />
        <span className="flex-1 max-sm:hidden">Search or command</span>
        <Kbd keys="mod+k" className="max-sm:hidden" />
      </button>
      {project === undefined ? null : <LaunchButton tone={launchTone} />}
      <PhoneMenu links={links} person={person} counts={counts} />
    </header>
  );
}

function CrumbText({ crumb, isLast }: { crumb: Crumb; isLast: boolean }) {
  const content = (
    <>
      <span className="truncate">{crumb.label}</span>
      {crumb.plate === undefined ? null : <Plate code={crumb.plate} />}
    </>
  );
  // A phone has no room for the whole way: it shows the place itself, and one step back.
  const classes = cn("flex min-w-0 items-center gap-1.5", isLast ? "font-semibold" : "text-ink-2 max-sm:hidden");
  if (crumb.href === undefined || isLast) {
    return (
      <span aria-current={isLast ? "page" : undefined} className={classes}>
        {content}
      </span>
    );
  }
  return (
    <Link href={crumb.href} className={cn(classes, "hover:text-ink")}>
      {content}
    </Link>
  );
}

function LaunchButton({ tone }: { tone: LaunchTone }) {
  const launch = useLaunchWith();
  useShortcut("l", tone === "none" ? "Launch a turn" : "Launch", () => launch({}));
  return tone === "none" ? null : (
    <Button variant={tone} icon="launch" keys="l" className="max-sm:hidden" onClick={() => launch({})}>
      Launch
    </Button>
  );
}
