"use client";

// The open project, and the way to another one.
import { cn } from "@/components/ui/cn";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Menu, MenuLabel, MenuLink, MenuSeparator } from "@/components/ui/menu";
import { projectHref, type ShellProject } from "./shell-links";

export type ProjectSwitcherProps = {
  project: ShellProject;
  projects: readonly ShellProject[];
  /** Something stands after it: on a phone it then makes room. */
  isDeep: boolean;
};

export function ProjectSwitcher({ project, projects, isDeep }: ProjectSwitcherProps) {
  const others = projects.filter((other) => other.project_id !== project.project_id);
  return (
    <Menu
      className="max-w-80"
      trigger={
        <button
          type="button"
          className={cn("flex min-w-0 items-center gap-[3px] rounded-2", isDeep && "max-sm:hidden")}
          title="Switch project"
        >
          <b dir="auto" className="truncate">
            {project.title}
          </b>
          <Icon name="down" size={13} className="text-ink-3" />
        </button>
      }
    >
      {others.length === 0 ? (
        <MenuLabel>No other project yet</MenuLabel>
      ) : (
        others.map((other) => (
          <MenuLink key={other.project_id}>
            <Link href={projectHref(other.project_id)}>
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {other.title}
              </span>
            </Link>
          </MenuLink>
        ))
      )}
      <MenuSeparator />
      <MenuLink>
        <Link href="/">All projects</Link>
      </MenuLink>
    </Menu>
  );
}
