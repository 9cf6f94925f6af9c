// Saved views as the API returns them.
import * as z from "zod";
import { NewView } from "../saved-view";

export const View = NewView.extend({ saved_by: z.string(), created_at: z.string(), updated_at: z.string() }).meta({
  id: "View",
});
