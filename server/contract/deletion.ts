// What somebody deletes for good, and why: a run, the content of a card, or what a person put in.
import * as z from "zod";
import { StopBody } from "./work";

export const REASON_MAX = 500;

export const Reason = z
  .string()
  .trim()
  .max(REASON_MAX)
  .describe("Why, in your words. It is kept with the record of the deletion, so do not quote what you delete.");

export const DeletionBody = z.strictObject({ user: StopBody.shape.user, reason: Reason.default("") });

export const RETENTION_DAYS_MAX = 3650;
