"use client";

// The text of a launch that has not been sent. It outlives a refused launch, a closed dialog and a reload of the page.
import { useState } from "react";

export type Draft = {
  text: string;
  setText: (text: string) => void;
  /** False when the browser would not store it: then it lives only as long as the dialog. */
  isKept: boolean;
};

export function useDraft(projectId: string): Draft {
  const key = draftKey(projectId);
  const [text, setState] = useState(() => sessionStorage.getItem(key) ?? "");
  const [isKept, setIsKept] = useState(true);
  return {
    text,
    isKept,
    setText: (next) => {
      setState(next);
      setIsKept(keep(key, next));
    },
  };
}

const draftKey = (projectId: string) => `switchyard-launch:${projectId}`;

/** Storage is refused in private windows of some browsers and beyond some 5 MB. */
function keep(key: string, text: string): boolean {
  try {
    if (text === "") sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
