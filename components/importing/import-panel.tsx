"use client";

// What the import dialog holds: where files are chosen, where they go, and how far each is.
import { useRef } from "react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { IMPORT_BYTES_MAX } from "@/server/contract/bounds";
import { finishedWords } from "./import-list";
import { useImports } from "./import-provider";
import { ImportRow } from "./import-row";
import { PlaceChoice } from "./place-choice";

export function ImportPanel() {
  const imports = useImports();
  const { items } = imports;
  const needsPlace = items.some((item) => item.status === "waiting" && item.project_id === null);
  return (
    <>
      <ChooseFiles onFiles={imports.add} isFirst={items.length === 0} />
      {needsPlace ? <PlaceChoice onPlace={imports.place} /> : null}
      {items.length === 0 ? null : (
        <ul aria-label="Files" className="mt-3 flex flex-col">
          {items.map((item) => (
            <ImportRow
              key={item.id}
              item={item}
              onCancel={() => imports.cancel(item.id)}
              onRetry={() => imports.retry(item.id)}
            />
          ))}
        </ul>
      )}
      <p aria-live="polite" className="sr-only">
        {finishedWords(items)}
      </p>
    </>
  );
}

function ChooseFiles({ onFiles, isFirst }: { onFiles: (files: readonly File[]) => void; isFirst: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="import-zone" data-small={isFirst ? undefined : true}>
      <Icon name="upload" size={isFirst ? 20 : 16} className="text-ink-3" />
      <p className="text-ink-2">
        Drop files anywhere in this window, up to {IMPORT_BYTES_MAX / 1_048_576} MiB each, or
      </p>
      <Button size="sm" onClick={() => input.current?.click()}>
        Choose files
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        accept=".json,application/json,.gz,.tgz,application/gzip"
        aria-label="Files to import"
        hidden
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // The same file again must be a change again.
          event.target.value = "";
        }}
      />
    </div>
  );
}
