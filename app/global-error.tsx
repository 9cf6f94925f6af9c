"use client";

import { DeadEnd } from "@/components/shell/dead-end";
import { faceMono, faceUi } from "./fonts";
import "./globals.css";

/** Replaces the whole document, so it renders its own; the theme is the dark one of :root. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en" className={`${faceUi.variable} ${faceMono.variable}`}>
      <body>
        <title>Switchyard did not load</title>
        <DeadEnd
          title="Switchyard did not load"
          cause={`Runs are not affected. ${error.digest === undefined ? error.message : `The server's log has the reason under ${error.digest}.`}`}
        >
          <a href="/" className="btn">
            Load it again
          </a>
        </DeadEnd>
      </body>
    </html>
  );
}
