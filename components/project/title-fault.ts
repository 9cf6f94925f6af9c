// What is wrong with a title, before it is sent; the server holds to the same schema.
import { NewProject } from "@/server/contract/project";

/** null = it will do. */
export function titleFault(title: string): string | null {
  if (title.trim() === "") return "Enter a name.";
  return NewProject.shape.title.safeParse(title).success ? null : "A name has at most 200 characters.";
}

/** null = it will do, or there is none: then one is made from the title. */
export function idFault(id: string): string | null {
  return id === "" || NewProject.shape.project_id.safeParse(id).success
    ? null
    : "An id has 1 to 128 letters, digits, _ and -; it is part of the URL.";
}
