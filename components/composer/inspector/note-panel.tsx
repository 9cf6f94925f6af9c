"use client";

// A note on the ground: plain words for whoever reads the plan.
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Section } from "@/components/ui/section";
import { TextArea } from "@/components/ui/text-area";
import { useComposer, usePlan } from "../composer-context";
import { removing } from "../draft/edits";

export function NotePanel({ id }: { id: string }) {
  const plan = usePlan();
  const { store } = useComposer();
  const note = plan.layout.notes.find((one) => one.id === id);
  if (!note) return null;
  return (
    <Section title="Note">
      <Field label="Text" isQuiet>
        <TextArea
          rows={6}
          data-field="instruction"
          value={note.text}
          maxLength={10_000}
          onChange={({ target }) =>
            store.change({
              label: "Note written",
              ops: [{ op: "set_note", note: { ...note, text: target.value } }],
              key: `note ${id}`,
            })
          }
        />
      </Field>
      <Button size="sm" variant="ghost" className="mt-2" onClick={() => store.change(removing(plan, [`note:${id}`]))}>
        Delete
      </Button>
    </Section>
  );
}
