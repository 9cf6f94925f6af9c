"use client";

// Why something cannot be shown, and what to do: it does not exist, the database is away, or the server does not answer.
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Icon } from "@/components/ui/icon";
import { failureOf } from "@/server/contract/failure-codes";
import { failureKind } from "../trpc/patient";
import { Remedy } from "./remedy";

export type FailureProps = {
  error: { message: string };
  /** "box", "agent" */
  what: string;
  /** Its id or name, as asked for. */
  name?: string;
  onRetry: () => unknown;
  /** A link to where others of its kind are. */
  way?: ReactNode;
  size?: "page" | "panel";
};

export function Failure({ error, what, name, onRetry, way, size = "page" }: FailureProps) {
  const kind = failureKind(error);
  const code = codeOf(error);
  // A server that is busy, or a tool's service that is away, answers 503 as well: that is not the database.
  const other = kind === "away" && code !== "storage_error" ? failureOf(code) : undefined;
  if (kind === "missing" && name !== undefined)
    return (
      <EmptyState
        size={size}
        title={`${what[0]?.toUpperCase()}${what.slice(1)} not found`}
        cause={
          <>
            This project has no {what} <span className="mono break-all">{name}</span>. It may belong to another project,
            or the link is incomplete.
          </>
        }
        remedy={way}
      />
    );
  const causes: Record<typeof kind, string> = {
    missing: error.message,
    away: other?.cause ?? "The database is not available. Nothing is lost. This page tries again every few seconds.",
    unreachable: "The server does not answer. This page tries again every few seconds.",
    broken: `The server reports: ${error.message}`,
  };
  return (
    <EmptyState
      size={size}
      title={kind === "away" && other === undefined ? "The database is not available" : `The ${what} cannot be shown`}
      mark={<Icon name="offline" size={15} className="text-st-failed" />}
      cause={
        <>
          {causes[kind]} {kind === "away" && other === undefined ? null : <Remedy code={code} />}
        </>
      }
      remedy={
        <>
          <Button icon="retry" onClick={() => void onRetry()}>
            Try again
          </Button>
          {way}
        </>
      }
    />
  );
}

/** Errors of the API carry it; one of the network has none. */
function codeOf(error: object): string | undefined {
  const data: unknown = "data" in error ? error.data : undefined;
  const code = typeof data === "object" && data !== null && "error_code" in data ? data.error_code : undefined;
  return typeof code === "string" ? code : undefined;
}
