"use client";

// The files that a wagon's pack is built from: a workspace, and the words to look for in it.
import { withChosen } from "@/components/domain/use-pack-choices";
import { useWorkspaceChoices } from "@/components/domain/use-workspace-choices";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { useComposer } from "../composer-context";
import { setting } from "../draft/edits";
import { TextField } from "./fields";

const NONE = "";

export type PackFilesProps = { place: string; workspace?: string | undefined; search?: string | undefined };

export function PackFiles({ place, workspace = NONE, search = "" }: PackFilesProps) {
  const { projectId, store } = useComposer();
  const { isKnown, choices } = useWorkspaceChoices(projectId);
  const change = (path: string, value: string | undefined, words: string) =>
    store.change(setting(store.get().plan, place, path, value, words));
  return (
    <>
      <Field label="Workspace" hint="Files of a repository" isQuiet>
        <Select
          value={workspace}
          isDisabled={!isKnown}
          options={withChosen([{ value: NONE, label: isKnown ? "without files" : "Loading" }, ...choices], workspace)}
          onChange={(next) => change("/context_pack/workspace", next === NONE ? undefined : next, "workspace")}
        />
      </Field>
      {workspace === NONE ? null : (
        <>
          <div className="h-2" />
          <TextField
            place={place}
            path="/context_pack/search"
            label="Look for in files"
            value={search}
            maxLength={1024}
          />
        </>
      )}
    </>
  );
}
