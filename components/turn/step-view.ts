// Small readings of a step's texts. Pure.

export const firstLine = (text: string): string => text.slice(0, 400).replace(/\s+/g, " ").trim().slice(0, 200);

/** Set in mono: what begins like JSON, or is numbered like code. */
export const isData = (text: string): boolean => /^\s*[[{]/.test(text);
