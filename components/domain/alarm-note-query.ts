// The alarms about one thing, as its page asks for them: the page on the server and the screen in the browser must ask the same.

/** `subjectId`: a turn, a batch, a box or a card. */
export const alarmNoteQuery = (projectId: string, subjectId: string) => ({
  project_id: projectId,
  subject_id: subjectId,
  muted: "false" as const,
  limit: 50,
});
