"use client";

// Runs as files to take along: whole, to be imported elsewhere, or as a page to read. Each file is a link of its own, so that a browser
// keeps it as it keeps any download. Secrets are left out unless somebody says otherwise.
import { useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { formatCount } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { plainWords } from "@/components/ui/plain-words";
import { Segmented } from "@/components/ui/segmented";

type Format = "bundle" | "report.html";
type Secrets = "1" | "0";

const says: Record<Format, string> = {
  bundle: "Everything of the run, with its ids, to be imported into this or another Switchyard.",
  "report.html": "The turns with what they were given and what they wrote, as one page that opens anywhere.",
};
const saysOfSecrets: Record<Secrets, string> = {
  "1": "What looks like a secret is replaced by a placeholder.",
  "0": "Nothing is replaced: the file holds every secret that the run has seen.",
};

export type RunToExport = { root_turn_id: string; number: number; title: string };
export type ExportDialogProps = {
  projectId: string;
  runs: readonly RunToExport[];
  isOpen: boolean;
  onClose: () => void;
};

export function ExportDialog({ projectId, runs, isOpen, onClose }: ExportDialogProps) {
  const [format, setFormat] = useState<Format>("bundle");
  const [redact, setRedact] = useState<Secrets>("1");
  const [only] = runs;
  return (
    <Dialog
      isOpen={isOpen}
      width={500}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={runs.length === 1 && only ? `Export run ${only.number}` : `Export: ${formatCount(runs.length, "run")}`}
      description={`${says[format]} ${saysOfSecrets[redact]}`}
    >
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap gap-3">
          <Segmented
            label="File"
            value={format}
            onChange={setFormat}
            choices={[
              { value: "bundle", label: "Bundle" },
              { value: "report.html", label: "Report" },
            ]}
          />
          <Segmented
            label="Secrets"
            value={redact}
            onChange={setRedact}
            choices={[
              { value: "1", label: "Without secrets" },
              { value: "0", label: "As it is" },
            ]}
          />
        </div>
        <ul aria-label="Files" className="flex max-h-80 flex-col gap-1 overflow-y-auto">
          {runs.map((run) => (
            <li key={run.root_turn_id}>
              <a
                className="btn max-w-full"
                download
                href={`/api/v1/projects/${encodeURIComponent(projectId)}/runs/${encodeURIComponent(run.root_turn_id)}/${format}?redact=${redact}`}
              >
                <Icon name="download" size={14} />
                <span className="flex-none">Download run {run.number}</span>
                <span dir="auto" className="truncate text-ink-3">
                  {plainWords(run.title)}
                </span>
              </a>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
