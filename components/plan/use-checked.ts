"use client";

// What is wrong with a plan as it stands, checked when typing rests.
import { useEffect, useState } from "react";
import type { CheckedText } from "./check-text";

const REST_MS = 250;

/** `checked` belongs to an earlier text while `isOld`; null before the first check. `failure` = the check could not be loaded. */
export function useChecked(text: string): { checked: CheckedText | null; isOld: boolean; failure: string | null } {
  const [last, setLast] = useState<{ text: string; checked: CheckedText } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      import("./check-text").then(
        ({ checkText }) => {
          if (!isCurrent) return;
          setFailure(null);
          setLast({ text, checked: checkText(text) });
        },
        (error: unknown) => {
          if (isCurrent) setFailure(error instanceof Error ? error.message : String(error));
        },
      );
    }, REST_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text]);
  return { checked: last?.checked ?? null, isOld: last?.text !== text, failure };
}
