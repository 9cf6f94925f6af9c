"use client";

// Why something cannot be shown, and the way on: it is not there, the database is away, the server does not answer.
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Icon } from "@/components/ui/icon";
import { failureKind } from "../trpc/patient";

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
    away: "The database is not available. Nothing is lost. This page tries again every few seconds.",
    unreachable: "The server does not answer. This page tries again every few seconds.",
    broken: `The server reports: ${error.message}`,
  };
  return (
    <EmptyState
      size={size}
      title={kind === "away" ? "The database is not available" : `The ${what} cannot be shown`}
      mark={<Icon name="offline" size={15} className="text-st-failed" />}
      cause={causes[kind]}
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
