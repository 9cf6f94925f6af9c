"use client";

// The files that a pack is built from: which workspace, what to look for in it, and files that matter most.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { Field } from "@/components/ui/field";
import { formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Select } from "@/components/ui/select";
import { TextArea } from "@/components/ui/text-area";
import { TextInput } from "@/components/ui/text-input";
import type { FormFaults, PackTexts } from "./pack-form";

export type WorkspaceFieldsProps = {
  projectId: string;
  workspace: string | null;
  texts: PackTexts;
  faults: FormFaults;
  onTexts: (over: Partial<PackTexts>) => void;
  onWorkspace: (workspace: string | null) => void;
};

const NONE = "";

export function WorkspaceFields({ projectId, workspace, texts, faults, onTexts, onWorkspace }: WorkspaceFieldsProps) {
  const trpc = useTRPC();
  const list = useQuery({ ...trpc.workspace.list.queryOptions({ project_id: projectId }), ...patient });
  const items = list.data?.items ?? [];
  // One that a link names and that is gone is shown as chosen: the estimate says what is wrong with it.
  const isStray = workspace !== null && !items.some(({ name }) => name === workspace);
  return (
    <div className="grid gap-3">
      <Field
        label="Workspace"
        aside="optional"
        hint={
          <>
            Files of a repository.{" "}
            <Link href={`/p/${encodeURIComponent(projectId)}/packs/workspaces`} className="link">
              See workspaces
            </Link>
          </>
        }
        error={faults.workspace}
      >
        <Select
          value={workspace ?? NONE}
          isDisabled={list.data === undefined}
          options={[
            { value: NONE, label: list.data === undefined ? "Loading" : "Without files" },
            ...(isStray ? [{ value: workspace, label: workspace }] : []),
            ...items.map(({ name, files, snapshot_sha256 }) => ({
              value: name,
              label: snapshot_sha256 === null ? `${name}, not indexed yet` : `${name}, ${formatNumber(files)} files`,
              isDisabled: snapshot_sha256 === null,
            })),
          ]}
          onChange={(next) => onWorkspace(next === NONE ? null : next)}
        />
      </Field>
      {workspace === null ? null : (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Look for"
            aside="optional"
            hint="Words to find in the files. By default, those of the goal."
            error={faults.search}
          >
            <TextInput
              value={texts.search}
              maxLength={1024}
              onChange={(event) => onTexts({ search: event.target.value })}
            />
          </Field>
          <Field label="Files that matter most" aside="one a line, optional" error={faults.files}>
            <TextArea
              rows={3}
              className="font-mono"
              spellCheck={false}
              placeholder="src/index.ts"
              value={texts.files}
              onChange={(event) => onTexts({ files: event.target.value })}
            />
          </Field>
        </div>
      )}
    </div>
  );
}
