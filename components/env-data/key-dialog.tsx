"use client";

// A person edits a key. The change applies to the version they saw: a key that someone changed in the meantime is not
// overwritten.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, useFieldIds } from "@/components/ui/field";
import { Segmented } from "@/components/ui/segmented";
import { TextInput } from "@/components/ui/text-input";
import type { EnvEntry, EnvRun } from "@/server/contract/env-data";
import { ENV_DESCRIPTION_MAX, ENV_KEY_MAX } from "@/server/contract/env-data";
import { kindOf, readValue, retype, textOf, type ValueKind } from "./value-text";

export type KeyDialogProps = {
  projectId: string;
  run: EnvRun;
  /** null for a new key. */
  edited: EnvEntry | null;
  onSaved: (rootTurnId: string, key: string) => void;
  onClose: () => void;
};

export function KeyDialog({ projectId, run: asked, edited, onSaved, onClose }: KeyDialogProps) {
  const trpc = useTRPC();
  // The one it was opened for: without a run in the address the page goes over to a newer one as soon as that has a key.
  const [run] = useState(asked);
  const [key, setKey] = useState(edited?.key ?? "");
  const [description, setDescription] = useState(edited?.short_description ?? "");
  const [kind, setKind] = useState<ValueKind>(edited === null ? "text" : kindOf(edited.value));
  const [text, setText] = useState(edited === null ? "" : textOf(edited.value));
  const [fault, setFault] = useState<string | null>(null);
  const save = useMutation(
    trpc.env_data.save.mutationOptions({
      onSuccess: (saved) => {
        announce({ title: `${saved.key} is stored`, detail: `Every agent of run ${run.number} can read it.` });
        onSaved(run.root_turn_id, saved.key);
      },
    }),
  );
  const submit = () => {
    if (save.isPending || key.trim() === "") return;
    const typed = readValue(kind, text);
    setFault(typed.ok ? null : typed.error);
    if (!typed.ok) return;
    const { root_turn_id } = run;
    const entry = { key: key.trim(), short_description: description, value: typed.value, rev: edited?.rev ?? 0 };
    save.mutate({ project_id: projectId, root_turn_id, ...entry });
  };
  return (
    <Dialog
      isOpen
      width={560}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      title={edited === null ? `New key in run ${run.number}` : `Edit ${edited.key}`}
      description="Agents see the key and its description in the list, and read the value by its key."
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" disabled={save.isPending || key.trim() === ""} onClick={submit}>
            {edited === null ? "Store" : "Save change"}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {edited === null ? (
          <Field label="Key" hint="The same for all agents of this run.">
            <TextInput isMono maxLength={ENV_KEY_MAX} value={key} onChange={(event) => setKey(event.target.value)} />
          </Field>
        ) : null}
        <Field label="Short description" hint="One line. Agents decide by it whether to read the value.">
          <TextInput
            maxLength={ENV_DESCRIPTION_MAX}
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
        </Field>
        <Field
          label="Value"
          error={fault}
          aside={
            <Segmented
              label="The value is"
              value={kind}
              choices={[
                { value: "text", label: "Text" },
                { value: "json", label: "JSON" },
              ]}
              onChange={(next) => {
                if (next === kind) return;
                setKind(next);
                setText(retype(text, next));
                setFault(null);
              }}
            />
          }
        >
          <ValueText
            text={text}
            onChange={(next) => {
              setText(next);
              setFault(null);
            }}
            onSave={submit}
          />
        </Field>
        {/* Enter in a line of text sends the form. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
      {save.error === null ? null : (
        <p role="alert" className="mt-2 text-st-failed">
          {save.error.message}
        </p>
      )}
    </Dialog>
  );
}

type ValueTextProps = { text: string; onChange: (text: string) => void; onSave: () => void };

function ValueText({ text, onChange, onSave }: ValueTextProps) {
  const ids = useFieldIds();
  return (
    <textarea
      dir="auto"
      {...ids}
      className="field-box env-value"
      rows={8}
      spellCheck={false}
      autoCapitalize="off"
      value={text}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
        event.preventDefault();
        onSave();
      }}
    />
  );
}
