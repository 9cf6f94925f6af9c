"use client";

import { DeadEnd } from "@/components/shell/dead-end";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";

/** `digest` finds the full error in the server's log; in production the message is only there. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <DeadEnd
      title="This page did not load"
      cause="Runs are not affected: workers go on, and nothing is lost."
      detail={<CodeBlock code={error.digest === undefined ? error.message : `digest ${error.digest}`} />}
    >
      <Button icon="retry" onClick={reset}>
        Load it again
      </Button>
      {/* A full load on purpose: the router itself may be broken. */}
      <a href="/" className="btn" data-variant="ghost">
        All projects
      </a>
    </DeadEnd>
  );
}
