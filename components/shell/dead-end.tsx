"use client";

// A page that cannot be shown: a track that ends at a buffer stop, why, and the ways back.
import type { ReactNode } from "react";
import { useTabTitle } from "@/components/ui/tab-title";

export type DeadEndProps = { title: string; cause: string; detail?: ReactNode; children: ReactNode };

export function DeadEnd({ title, cause, detail, children }: DeadEndProps) {
  useTabTitle(title);
  return (
    <main className="dotted-ground grid min-h-dvh content-center px-6 py-16">
      <div className="mx-auto w-full max-w-160">
        <svg
          viewBox="0 0 640 80"
          className="mb-6 w-full"
          fill="none"
          strokeLinecap="round"
          strokeLinejoin="round"
          aria-hidden="true"
        >
          <path d="M2 14H180L216 50H520" className="stroke-rail" strokeWidth="2.25" />
          <path d="M180 14H638" className="stroke-line-2" strokeWidth="1.5" />
          <path d="M522 40v20" className="stroke-st-failed" strokeWidth="2.5" />
          <path d="M528 44v12" className="stroke-st-failed" strokeWidth="2" />
        </svg>
        <h1 className="text-display">{title}</h1>
        <p className="mt-2.5 text-[14.5px] text-ink-2 leading-5">{cause}</p>
        {detail === undefined ? null : <div className="mt-4">{detail}</div>}
        <div className="mt-5 flex flex-wrap items-center gap-2">{children}</div>
      </div>
    </main>
  );
}
