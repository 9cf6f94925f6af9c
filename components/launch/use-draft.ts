"use client";

// The launch that has not been sent. It outlives a refused launch, a closed dialog and a reload of the page.
import { useState } from "react";
import { type DraftForm, emptyDraft, readDraft, writeDraft } from "./draft";

export type Draft = {
  form: DraftForm;
  setForm: (form: DraftForm) => void;
  clear: () => void;
  /** False when the browser would not store it: then it lives only as long as the dialog. */
  isKept: boolean;
};

export const newKey = (): string => crypto.randomUUID();

export function useDraft(projectId: string): Draft {
  const key = draftKey(projectId);
  const [form, setState] = useState(() => readDraft(sessionStorage.getItem(key), newKey));
  const [isKept, setIsKept] = useState(true);
  function setForm(next: DraftForm) {
    setState(next);
    setIsKept(keep(key, writeDraft(next)));
  }
  return { form, isKept, setForm, clear: () => setForm(emptyDraft(newKey)) };
}

const draftKey = (projectId: string) => `switchyard-launch:${projectId}`;

/** Storage is refused in private windows of some browsers and beyond some 5 MB. */
function keep(key: string, text: string | null): boolean {
  try {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
