// A lost race is a value: another worker holds the turn now, or it has ended. The caller stops at once.

/** `current_epoch` null = no such turn in this project. */
export type Fenced = { fenced: true; current_epoch: number | null };

export const isFenced = (answer: object): answer is Fenced => "fenced" in answer && answer.fenced === true;
