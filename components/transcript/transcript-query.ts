// What a transcript asks for: the page on the server and the screen in the browser must ask the same.

/** Where the list begins, if not at the beginning: a link may name a message far down a long run. */
export type TranscriptStart = { from_turn?: string; from_card?: string };
export type TranscriptAsk = { agent?: string | null; q?: string; start?: TranscriptStart };

export const transcriptQuery = (projectId: string, rootTurnId: string, { agent, q = "", start }: TranscriptAsk) => ({
  project_id: projectId,
  root_turn_id: rootTurnId,
  limit: LINES_PAGE,
  ...(agent != null && { agent_id: agent }),
  ...(q.trim() !== "" && { q: q.trim().slice(0, WORDS_CHARS_MAX) }),
  ...start,
});

const LINES_PAGE = 100;
/** As the server takes them. */
export const WORDS_CHARS_MAX = 200;
