"use client";

// In place of a part whose code did not come. What was written is kept by the parts themselves, so loading again is safe.
import { Button } from "./button";
import { EmptyState } from "./empty-state";

export function MissingPart({ title }: { title: string }) {
  return (
    <div role="alert">
      <EmptyState
        title={title}
        cause="This part of the page could not be loaded. Nothing you wrote is lost."
        remedy={<Button onClick={() => window.location.reload()}>Load the page again</Button>}
      />
    </div>
  );
}
