"use client";

// A git bundle or a tar, sent as it is read from disk, with how far it has come.
import { useEffect, useRef, useState } from "react";
import { announce } from "@/components/ui/announcements";
import { Button } from "@/components/ui/button";
import { Field, useFieldIds } from "@/components/ui/field";
import { sentence } from "@/components/ui/sentence";
import { TextInput } from "@/components/ui/text-input";
import { WorkspaceName } from "@/server/contract/workspace";
import { sendContent } from "./send-content";

export function UploadForm({ projectId, onDone }: { projectId: string; onDone: () => void }) {
  const [name, setName] = useState("");
  const [file, setFile] = useState<File | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const [fault, setFault] = useState<{ field: "name" | "file"; words: string } | null>(null);
  const going = useRef<AbortController | null>(null);
  useEffect(() => () => going.current?.abort(), []);

  const send = async () => {
    const read = WorkspaceName.safeParse(name.trim());
    if (!read.success) return setFault({ field: "name", words: sentence(read.error.issues[0]?.message ?? "") });
    if (file === null) return setFault({ field: "file", words: "Choose a git bundle, a tar or a tar.gz." });
    setFault(null);
    setSent(0);
    going.current = new AbortController();
    try {
      await sendContent({ projectId, name: read.data, file, signal: going.current.signal, onSent: setSent });
      announce({ title: `${read.data} is indexed` });
      onDone();
    } catch (error) {
      if (!going.current.signal.aborted)
        setFault({ field: "file", words: sentence(error instanceof Error ? error.message : String(error)) });
    } finally {
      setSent(null);
    }
  };
  return (
    <section aria-labelledby="workspace-upload">
      <h3 id="workspace-upload" className="font-semibold">
        An upload
      </h3>
      <div className="mt-2 grid gap-3">
        <Field
          label="Name"
          hint="Letters a to z, digits, - and _."
          error={fault?.field === "name" ? fault.words : undefined}
        >
          <TextInput value={name} maxLength={64} onChange={(event) => setName(event.target.value)} />
        </Field>
        <Field
          label="Git bundle, tar or tar.gz"
          hint="Make a bundle with: git bundle create code.bundle HEAD"
          error={fault?.field === "file" ? fault.words : undefined}
        >
          <FileInput onChoose={setFile} />
        </Field>
        <div className="flex items-center gap-3">
          <Button icon="upload" disabled={sent !== null} onClick={() => void send()}>
            Upload and index
          </Button>
          {sent === null || file === null ? null : (
            <p role="status" className="text-ink-2">
              {sent < file.size ? `Sent ${percent(sent, file.size)}` : "The server reads it"}
            </p>
          )}
        </div>
      </div>
    </section>
  );
}

function FileInput({ onChoose }: { onChoose: (file: File | null) => void }) {
  const ids = useFieldIds();
  return (
    <input
      {...ids}
      type="file"
      className="field-box h-auto py-1.5"
      onChange={(event) => onChoose(event.target.files?.[0] ?? null)}
    />
  );
}

const percent = (part: number, whole: number): string => `${Math.floor((100 * part) / whole)} %`;
