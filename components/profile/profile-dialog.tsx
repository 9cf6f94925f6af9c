"use client";

// Where a profile is written: typed, pasted, or read from files. The server says what is wrong with it; what was typed
// stays until it is saved or thrown away by name.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { keepText, keptText } from "@/components/domain/kept-text";
import { type LineMark, showLine, YamlEditor } from "@/components/domain/yaml-editor";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format";
import type { Profile } from "@/server/contract/profile";
import { DropSign } from "./drop-sign";
import { type Fault, faultOf } from "./fault";
import { type Brought, readProfileFiles } from "./profile-file";
import { useFileDrop } from "./use-file-drop";

export type ProfileDialogProps = {
  projectId: string;
  /** The profile that is edited; null for a new one. `rev` is what it is now: others may save meanwhile. */
  edited: { name: string; rev: number; isGone: boolean } | null;
  /** The text when nothing was typed before. */
  start: string;
  /** Read from files that were dropped on the page; after each that is saved comes the next. */
  brought?: readonly Brought[];
  /** Opened to bring a file: the button that chooses one comes first. */
  isUpload?: boolean;
  onSaved: (profile: Profile) => void;
  onClose: () => void;
};

export function ProfileDialog(props: ProfileDialogProps) {
  const { projectId, edited, start, brought = [], isUpload = false, onSaved, onClose } = props;
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const key = `profile-draft ${projectId} ${edited?.name ?? ""}`;
  const [kept] = useState(() => keptText(key));
  const [source, setSource] = useState(brought[0]?.text ?? kept ?? start);
  const [replaced, setReplaced] = useState(brought[0]?.text ? kept : null);
  const [waiting, setWaiting] = useState(brought.slice(1));
  const [fault, setFault] = useState<Fault | null>(brought[0]?.fault ?? null);
  /** Of the text as it is; null until it was asked. */
  const [warnings, setWarnings] = useState<readonly string[] | null>(null);
  const [openedRev] = useState(edited?.rev);
  const editor = useRef<HTMLTextAreaElement>(null);
  const chooser = useRef<HTMLInputElement>(null);

  const save = useMutation(
    trpc.profile.save.mutationOptions({
      onSuccess: async (profile) => {
        keepText(key, null);
        announce(savedWords(profile, edited?.name ?? null));
        await queryClient.invalidateQueries({ queryKey: trpc.profile.pathKey() });
        const [next] = waiting;
        if (next === undefined) return onSaved(profile);
        setWaiting(waiting.slice(1));
        setSource(next.text ?? "");
        setReplaced(null);
        setFault(next.fault);
        setWarnings(null);
      },
      onError: refuse,
    }),
  );
  // A dry run: who is warned after saving has saved what can never run.
  const check = useMutation(
    trpc.profile.check.mutationOptions({
      onSuccess: (profile, { yaml }) => {
        // Typed on meanwhile: that text was never checked.
        if (yaml !== source) return;
        if (profile.warnings.length === 0) save.mutate({ project_id: projectId, yaml });
        else setWarnings(profile.warnings);
      },
      onError: refuse,
    }),
  );
  const isBusy = check.isPending || save.isPending;

  function refuse(error: Parameters<typeof faultOf>[0]) {
    const next = faultOf(error);
    setFault(next);
    if (next.line !== null) showLine(editor.current, next.line);
  }
  function change(text: string) {
    setSource(text);
    setFault(null);
    setWarnings(null);
    keepText(key, text === start ? null : text);
  }
  async function take(files: readonly File[]) {
    const [first, ...rest] = await readProfileFiles(files);
    if (first === undefined) return;
    setWaiting((before) => [...before, ...rest]);
    if (first.fault !== null) {
      setFault(first.fault);
      return;
    }
    // A file must not cost what was typed.
    setReplaced(source === start || source.trim() === "" ? null : source);
    change(first.text);
  }
  const isOver = useFileDrop(true, (files) => void take(files));
  const submit = () => {
    if (isBusy || source.trim() === "") return;
    (warnings === null ? check : save).mutate({ project_id: projectId, yaml: source });
  };
  const isOvertaken = edited !== null && openedRev !== undefined && edited.rev > openedRev && !save.isPending;

  return (
    <Dialog
      isOpen
      width={720}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      title={edited === null ? "New profile" : `Edit ${edited.name}`}
      description={
        edited === null
          ? "Write or paste YAML or JSON, or choose a file. It is checked before it is saved."
          : "Saving makes a new version. Existing agents keep their version. New agents use this one."
      }
      footer={
        <>
          {source === start ? null : (
            <Button variant="ghost" onClick={() => change(start)}>
              {edited === null ? "Start over" : "Undo all changes"}
            </Button>
          )}
          <span className="flex-1" />
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" disabled={isBusy || source.trim() === ""} onClick={submit}>
            {warnings === null ? (edited === null ? "Save profile" : "Save new version") : "Save anyway"}
          </Button>
        </>
      }
    >
      <DropSign isShown={isOver} />
      {edited?.isGone ? (
        <p role="status" className="mb-2 text-st-partial">
          Someone deleted {edited.name} while you had it open. Saving registers it again.
        </p>
      ) : null}
      {isOvertaken ? (
        <p role="status" className="mb-2 text-st-partial">
          Someone saved version {edited.rev} while you had it open. Saving creates a version from yours.
        </p>
      ) : null}
      <Field
        label="YAML"
        aside={
          <>
            <Button
              size="sm"
              icon="upload"
              data-autofocus={isUpload || undefined}
              onClick={() => chooser.current?.click()}
            >
              Choose a file
            </Button>
            <input
              ref={chooser}
              type="file"
              hidden
              multiple={edited === null}
              accept=".yaml,.yml,.json"
              onChange={(event) => {
                void take([...(event.target.files ?? [])]);
                event.target.value = "";
              }}
            />
          </>
        }
      >
        <YamlEditor
          ref={editor}
          value={source}
          marks={fault?.line ? new Map([[fault.line, "error"]]) : noMarks}
          isFirst={!isUpload}
          onChange={change}
          onSave={submit}
        />
      </Field>
      {waiting.length === 0 ? null : (
        <p className="mt-2 text-ink-2">
          {formatCount(waiting.length, "more file")} {waiting.length === 1 ? "comes" : "come"} after this one is saved.
        </p>
      )}
      {replaced === null ? null : (
        <p className="mt-2 flex flex-wrap items-center gap-2 text-ink-2">
          The file replaced your text.
          <Button
            size="sm"
            icon="undo"
            onClick={() => {
              change(replaced);
              setReplaced(null);
            }}
          >
            Restore my text
          </Button>
        </p>
      )}
      {fault === null ? null : (
        <div
          role="alert"
          className="mt-2 flex flex-wrap items-baseline gap-x-2 gap-y-1 rounded-2 bg-wash-fail px-2.5 py-2"
        >
          <span className="min-w-0 break-words">
            <b className="font-semibold text-st-failed">Not saved.</b> {fault.message}
            {fault.remedy === null ? null : <span className="text-ink-2"> {fault.remedy}</span>}
          </span>
          {fault.line === null ? null : (
            <Button size="sm" onClick={() => showLine(editor.current, fault.line ?? 1)}>
              Go to line {fault.line}
            </Button>
          )}
        </div>
      )}
      {warnings === null || fault !== null ? null : <Warnings warnings={warnings} />}
    </Dialog>
  );
}

const noMarks: ReadonlyMap<number, LineMark> = new Map();

function Warnings({ warnings }: { warnings: readonly string[] }) {
  return (
    <div role="alert" className="mt-2 rounded-2 bg-wash-warn px-2.5 py-2">
      <b className="font-semibold">Not saved yet: {formatCount(warnings.length, "warning")}.</b> Change the text, or
      save it anyway.
      <ul aria-label="Warnings" className="mt-1 list-disc pl-4">
        {warnings.map((warning) => (
          <li key={warning} className="break-words">
            {warning}
          </li>
        ))}
      </ul>
    </div>
  );
}

function savedWords(profile: Profile, editedName: string | null) {
  if (editedName === null)
    return { title: `${profile.name} is saved`, detail: "You can create agents from it.", status: "success" as const };
  if (profile.name !== editedName)
    return {
      title: `${profile.name} is saved`,
      detail: `You changed the name, so this is a new profile. ${editedName} is unchanged.`,
      status: "success" as const,
    };
  return {
    title: `${profile.name} has a new version`,
    detail: "Existing agents keep their version.",
    status: "success" as const,
  };
}
