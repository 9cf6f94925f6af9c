// What the list of packs asks for: the page on the server and the screen in the browser must ask the same.

export const packListQuery = (projectId: string, q: string | null | undefined) => ({
  project_id: projectId,
  q: q?.trim() || undefined,
});
