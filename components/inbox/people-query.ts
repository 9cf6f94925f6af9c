// What the inbox asks for of people: the page on the server and the screen in the browser must ask the same.

export const peopleQuery = (projectId: string, withDecided: boolean) => ({
  project_id: projectId,
  status: withDecided ? undefined : ("open" as const),
  limit: 50,
});
