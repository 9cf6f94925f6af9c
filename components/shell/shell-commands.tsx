"use client";

// What the shell itself brings to the palette: the sections, the projects, the themes, launch and help.
import { useTheme } from "next-themes";
import { useMemo } from "react";
import { type CommandSource, useCommands } from "@/components/ui/commands";
import { Icon } from "@/components/ui/icon";
import { useLaunchWith } from "@/components/ui/use-launch-with";
import { leave, type ShellPerson } from "./person-menu";
import { projectHref, type SectionLink, type ShellProject } from "./shell-links";

export type ShellCommandsProps = {
  links: readonly SectionLink[];
  projects: readonly ShellProject[];
  person: ShellPerson;
  onHelp: () => void;
};

export function ShellCommands({ links, projects, person, onHelp }: ShellCommandsProps) {
  const { setTheme } = useTheme();
  const launch = useLaunchWith();
  const canLaunch = links.length > 0;
  const canSignOut = person.canSignOut === true;
  const doSource = useMemo<CommandSource>(
    () => ({
      id: "shell-do",
      group: "do",
      items: [
        ...(canLaunch
          ? [
              {
                id: "launch",
                label: "Launch a turn",
                icon: <Icon name="launch" />,
                keys: "l",
                words: "delegate start run",
                run: () => launch({}),
              },
            ]
          : []),
        {
          id: "help",
          label: "Show all shortcuts",
          icon: <Icon name="keyboard" />,
          keys: "?",
          words: "keyboard help",
          run: onHelp,
        },
        {
          id: "theme-dark",
          label: "Dark theme",
          icon: <Icon name="moon" />,
          words: "colour night",
          run: () => setTheme("dark"),
        },
        {
          id: "theme-light",
          label: "Light theme",
          icon: <Icon name="sun" />,
          words: "colour day",
          run: () => setTheme("light"),
        },
        {
          id: "theme-system",
          label: "Use the system's theme",
          icon: <Icon name="monitor" />,
          words: "colour auto",
          run: () => setTheme("system"),
        },
        ...(canSignOut
          ? [
              {
                id: "sign-out",
                label: "Sign out",
                icon: <Icon name="leave" />,
                words: "log out leave session",
                run: () => leave(),
              },
              {
                id: "sign-out-everywhere",
                label: "Sign out everywhere",
                icon: <Icon name="leave" />,
                words: "log out all browsers end sessions",
                run: () => leave({ isEverywhere: true }),
              },
            ]
          : []),
      ],
    }),
    [canLaunch, canSignOut, launch, onHelp, setTheme],
  );
  const showSource = useMemo<CommandSource>(
    () => ({
      id: "shell-show",
      group: "show",
      items: [
        ...links.map((link) => ({
          id: `section-${link.section}`,
          label: link.label,
          icon: <Icon name={link.icon} />,
          keys: link.keys,
          words: link.words,
          href: link.href,
        })),
        { id: "projects", label: "All projects", icon: <Icon name="board" />, keys: "g h", href: "/" },
        {
          id: "health",
          label: "Health",
          icon: <Icon name="pulse" />,
          keys: "g s",
          words: "status database workers replication watchdog starved",
          href: "/health",
        },
        ...projects.map((project) => ({
          id: `project-${project.project_id}`,
          label: project.title,
          detail: "project",
          icon: <Icon name="board" />,
          href: projectHref(project.project_id),
        })),
      ],
    }),
    [links, projects],
  );
  useCommands(doSource);
  useCommands(showSource);
  return null;
}
