"use client";

// Choose or drop files, see each come in, open what came of it. What it holds comes when it is first opened.
import { Dialog } from "@/components/ui/dialog";
import { lazyPart } from "@/components/ui/lazy-part";
import { useShortcut } from "@/components/ui/shortcuts";
import { SkeletonRows } from "@/components/ui/skeleton";
import { useIsSettled } from "@/components/ui/use-is-settled";
import { useImports } from "./import-provider";

const ImportPanel = lazyPart<object>(() => import("./import-panel").then((module) => module.ImportPanel), {
  missing: "The import dialog could not be loaded",
  waiting: () => <SkeletonRows count={4} rowHeight={32} label="Opening the import dialog" />,
});

export function ImportDialog({ where }: { where: string }) {
  const { isOpen, open, close } = useImports();
  useShortcut("i i", "Import a run", open);
  const isSettled = useIsSettled();
  return (
    <Dialog
      isOpen={isOpen && isSettled}
      onOpenChange={(next) => (next ? open() : close())}
      title="Import runs"
      description={
        <>
          Run bundles (<span className="mono">.tar.gz</span>), and logs of the{" "}
          <span className="mono">who-and-when</span> kind as JSON. Each becomes a run of {where}. Importing the same
          file twice creates one run.
        </>
      }
      width={620}
    >
      <ImportPanel />
    </Dialog>
  );
}
