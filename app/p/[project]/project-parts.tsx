"use client";

// Parts around a project's pages that show only on demand: fetched while the page is idle.
import { lazyPart } from "@/components/ui/lazy-part";

export const ProjectCommands = lazyPart(() =>
  import("@/components/palette/project-commands").then((module) => module.ProjectCommands),
);
export const SearchCommands = lazyPart(() =>
  import("@/components/palette/search-commands").then((module) => module.SearchCommands),
);
