"use client";

// The bytes that were sent: nothing added, nothing reordered. The digest is computed again in this browser.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { Failure } from "@/components/domain/failure";
import { useTRPC } from "@/components/trpc/client";
import { patientForEver } from "@/components/trpc/patient";
import { CopyButton } from "@/components/ui/copy-button";
import { formatNumber, hexOf } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { IconButton } from "@/components/ui/icon-button";
import { JsonView } from "@/components/ui/json-view";
import { Segmented } from "@/components/ui/segmented";
import { SkeletonRows } from "@/components/ui/skeleton";
import { TextView } from "@/components/ui/text-view";
import type { StepSheet } from "@/server/contract/turn-sheet";

export type WireViewProps = {
  projectId: string;
  agentTurnId: string;
  ordinal: number;
  request: NonNullable<StepSheet["request"]>;
};

export function WireView({ projectId, agentTurnId, ordinal, request }: WireViewProps) {
  const trpc = useTRPC();
  const [how, setHow] = useState<"sent" | "json">("sent");
  const wire = useQuery(
    trpc.turn.wire.queryOptions(
      { project_id: projectId, agent_turn_id: agentTurnId, ordinal },
      { ...patientForEver, gcTime: 60_000, enabled: request.bytes !== undefined },
    ),
  );
  const text = wire.data?.request_text;
  const value = useMemo(() => parsed(text), [text]);
  const isChecked = useDigest(text, request.sha256);
  if (request.bytes === undefined)
    return (
      <p className="px-4 py-4 text-ink-2">
        No bytes recorded for this step: workers in other languages may omit them. The other view shows what the worker
        reported.
      </p>
    );
  if (text === undefined)
    return wire.error ? (
      <Failure size="panel" error={wire.error} what="request" onRetry={wire.refetch} />
    ) : (
      <SkeletonRows count={8} rowHeight={19} label="Loading the bytes" />
    );
  const choices = (
    <Segmented
      label="Format"
      value={how}
      onChange={setHow}
      choices={[
        { value: "sent", label: "As sent" },
        { value: "json", label: "JSON", isDisabled: value === undefined },
      ]}
    />
  );
  return (
    <div className="step-scroll px-4 pb-4">
      <dl className="wire-facts">
        <dt>Size</dt>
        <dd className="flex items-center gap-1.5">
          {formatNumber(request.bytes)} bytes
          <span className="flex-1" />
          <CopyButton text={text} label="Copy the bytes" />
          <IconButton
            icon="download"
            label="Download the bytes"
            iconSize={15}
            onClick={() => download(text, `${agentTurnId}-step-${ordinal}.json`)}
          />
        </dd>
        <dt>sha256</dt>
        <dd className="flex min-w-0 items-center gap-1.5">
          <span className="mono truncate" title={request.sha256}>
            {request.sha256}
          </span>
          <CopyButton text={request.sha256 ?? ""} label="Copy the digest" size="sm" />
          {isChecked === null ? null : (
            <span className={`flex flex-none items-center gap-1 ${isChecked ? "text-ink-2" : "text-st-failed"}`}>
              <Icon name={isChecked ? "seal" : "warn"} size={14} />
              {isChecked ? "same bytes" : "other bytes"}
            </span>
          )}
        </dd>
      </dl>
      {how === "json" && value !== undefined ? (
        <JsonView value={value} label="The request as JSON" lead={choices} maxHeight="62vh" />
      ) : (
        <TextView text={text} label="The request as it was sent" lead={choices} maxHeight="62vh" />
      )}
    </div>
  );
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** null = not known: browsers digest over https and on this machine only. */
function useDigest(text: string | undefined, sha256: string | undefined): boolean | null {
  const [digest, setDigest] = useState<{ of: string; hex: string } | null>(null);
  useEffect(() => {
    if (text === undefined || !window.isSecureContext) return;
    let isLeft = false;
    void crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)).then((bytes) => {
      const hex = hexOf(new Uint8Array(bytes));
      if (!isLeft) setDigest({ of: text, hex });
    });
    return () => {
      isLeft = true;
    };
  }, [text]);
  return digest === null || digest.of !== text || sha256 === undefined ? null : digest.hex === sha256;
}

function download(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
