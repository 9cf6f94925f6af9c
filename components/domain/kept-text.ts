// What is being typed outlives the dialog, the page and a reload of the tab: closing it by mistake must cost nothing.

export function keptText(key: string): string | null {
  try {
    return sessionStorage.getItem(nameOf(key));
  } catch {
    // A browser that forbids storage still edits; it forgets on a reload.
    return null;
  }
}

/** Null = there is nothing to keep. */
export function keepText(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(nameOf(key));
    else sessionStorage.setItem(nameOf(key), text);
  } catch {
    // Full or forbidden: the text in the dialog is what counts.
  }
}

/** The plan that the composer is to begin with: "compose demo" */
export const beginningOf = (projectId: string): string => `compose ${projectId}`;

/** Of one kind of text: "plan-draft demo first-look" */
const nameOf = (key: string): string => `switchyard-${key}`;
