"use client";

// All projects: what each holds, what moves in it now, and everything one may do with it.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { Failure } from "@/components/domain/failure";
import { pace, useReadAgain } from "@/components/domain/use-read-again";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount } from "@/components/ui/format";
import { lazyPart } from "@/components/ui/lazy-part";
import { useShortcut } from "@/components/ui/shortcuts";
import { SkeletonRows } from "@/components/ui/skeleton";
import { useTabTitle } from "@/components/ui/tab-title";
import { LoadDemo } from "./load-demo";
import { NewProjectForm } from "./new-project-form";
import type { PersonDataDialogProps } from "./person-data-dialog";
import { ProjectRow } from "./project-row";
import { RemovedProjects } from "./removed-projects";
import { usePersonPlace } from "./use-person-place";

const PersonDataDialog = lazyPart<PersonDataDialogProps>(
  () => import("./person-data-dialog").then((module) => module.PersonDataDialog),
  { missing: "The dialog of a person's data could not be loaded" },
);

export function ProjectsScreen() {
  const trpc = useTRPC();
  useTabTitle("Projects");
  // No stream without a project.
  const { data, error, refetch } = useQuery(
    trpc.project.list.queryOptions(undefined, { ...useReadAgain(pace.often), placeholderData: keepPreviousData }),
  );
  const [isNew, setIsNew] = useState(false);
  const [, setImport] = useQueryState("import", parseAsString.withOptions({ history: "push" }));
  const [isArchiveOpen, setIsArchiveOpen] = useState(false);
  useShortcut("n", "New project", () => setIsNew(true), { group: "Projects" });
  const { people } = usePersonPlace();
  const again = () => void refetch();

  const open = (data ?? []).filter((project) => project.status !== "archived");
  const archived = (data ?? []).filter((project) => project.status === "archived");
  const hasDemo = (data ?? []).some((project) => project.is_demo);
  return (
    <div className="projects">
      <header className="projects-head">
        <h1 className="text-h1">Projects</h1>
        <span className="text-ink-3 max-sm:hidden">
          {data === undefined ? "" : formatCount(open.length, "project")}
        </span>
        <span className="flex-1" />
        <Button icon="upload" onClick={() => void setImport("1")}>
          Import
        </Button>
        <Button variant={isNew ? "plain" : "primary"} icon="plus" keys="n" onClick={() => setIsNew(true)}>
          New project
        </Button>
      </header>
      {isNew ? <NewProjectForm onDone={() => setIsNew(false)} /> : null}
      <RemovedProjects key={open.length} onChanged={again} />
      {data === undefined ? (
        error === null ? (
          <SkeletonRows count={4} rowHeight={57} />
        ) : (
          <Failure error={error} what="list of projects" onRetry={refetch} />
        )
      ) : open.length === 0 && !isNew ? (
        <EmptyState
          size="page"
          title="No projects yet"
          cause="A project keeps its runs, agents and boxes separate from others. Create one, import a log, or explore the demo."
          remedy={
            <>
              <Button icon="plus" onClick={() => setIsNew(true)}>
                New project
              </Button>
              <LoadDemo />
            </>
          }
        />
      ) : (
        <ul aria-label="Projects" className="projects-list">
          {open.map((project) => (
            <ProjectRow key={project.project_id} project={project} onChanged={again} />
          ))}
        </ul>
      )}
      {archived.length === 0 ? null : (
        <section aria-label="Archived projects" className="mt-4">
          <Button
            variant="ghost"
            icon={isArchiveOpen ? "down" : "right"}
            aria-expanded={isArchiveOpen}
            onClick={() => setIsArchiveOpen(!isArchiveOpen)}
          >
            {formatCount(archived.length, "archived project")}
          </Button>
          {isArchiveOpen ? (
            <ul className="projects-list">
              {archived.map((project) => (
                <ProjectRow key={project.project_id} project={project} onChanged={again} />
              ))}
            </ul>
          ) : null}
        </section>
      )}
      {people === null ? null : <PersonDataDialog projectId={people} projects={data ?? []} />}
      <footer className="mt-5 flex flex-wrap items-center gap-x-3 gap-y-2 text-ink-3">
        <span>Drop a log or a run bundle anywhere on this page to import it.</span>
        {data !== undefined && open.length > 0 && !hasDemo ? <LoadDemo /> : null}
      </footer>
    </div>
  );
}
