"use client";

// The seal of a pack: its digest, and whether building it again gives the same bytes. Its place is kept, so that an answer moves
// nothing.
import { Aspect } from "@/components/ui/aspect";
import { Icon } from "@/components/ui/icon";
import type { PackVerification } from "@/server/contract/context-pack/verification";
import { verdictWords } from "./view/words";

export type PackSealProps = {
  sha256: string;
  verification: PackVerification | undefined;
  isPending: boolean;
  error: string | null;
};

export function PackSeal({ sha256, verification, isPending, error }: PackSealProps) {
  const words = verification && verdictWords(verification);
  const state = isPending ? "busy" : error !== null ? "broken" : (verification?.verdict ?? "open");
  const digest = `sha256 ${sha256.slice(0, 4)}…${sha256.slice(-4)}`;
  return (
    <div
      role="status"
      className="cpack-seal"
      data-state={state === "same" || state === "busy" || state === "open" ? state : "broken"}
    >
      {state === "same" ? (
        <Aspect status="success" size={20} label={null} />
      ) : state === "open" || state === "busy" ? (
        <Icon name="seal" size={18} className="text-ink-3" />
      ) : (
        <Aspect status="failed" size={20} label={null} />
      )}
      <div className="min-w-0">
        <p className="font-semibold">
          {isPending ? "Rebuilding" : error !== null ? "Not rebuilt" : (words?.title ?? "Not rebuilt yet")}
        </p>
        {words !== undefined && !isPending && error === null && state !== "same" ? (
          <p className="break-words text-ink-2 text-note">
            {words.cause} {words.remedy}
          </p>
        ) : error !== null && !isPending ? (
          <p className="break-words text-ink-2 text-note">{error}</p>
        ) : (
          <p className="mono text-ink-2">{digest}</p>
        )}
      </div>
    </div>
  );
}
