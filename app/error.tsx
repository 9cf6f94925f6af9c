"use client";

import { DeadEnd } from "@/components/shell/dead-end";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";

/** `digest` is what the server's log says beside the whole error; in production the message itself stays there. */
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
      {/* A full load on purpose: what broke may live in the router. */}
      <a href="/" className="btn" data-variant="ghost">
        All projects
      </a>
    </DeadEnd>
  );
}
