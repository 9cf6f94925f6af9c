// What is being typed outlives the dialog, the page and a reload of the tab: closing it by mistake must cost nothing.

export type DraftKey = { projectId: string /** null for a new profile. */; name: string | null };

export function readDraft(key: DraftKey): string | null {
  try {
    return sessionStorage.getItem(keyOf(key));
  } catch {
    // A browser that forbids storage still edits; it only forgets on a reload.
    return null;
  }
}

export function keepDraft(key: DraftKey, source: string | null): void {
  try {
    if (source === null) sessionStorage.removeItem(keyOf(key));
    else sessionStorage.setItem(keyOf(key), source);
  } catch {
    // Full or forbidden: the text in the dialog is what counts.
  }
}

const keyOf = ({ projectId, name }: DraftKey): string => `switchyard-profile-draft ${projectId} ${name ?? ""}`;
