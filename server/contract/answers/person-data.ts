// What a person put into a project, and what is left of it when the person is erased, as it is answered.
import * as z from "zod";
import { PersonGoes, PersonKind } from "../person-data";
import { Counted, Deletion } from "./deletions";

export const People = z
  .strictObject({
    items: z.array(z.strictObject({ user: z.string() })).describe("By name, at most 200. Pseudonyms are left out."),
    is_more: z.literal(true).optional().describe("There are more people than are named: ask for one by name."),
  })
  .meta({ id: "People" });
export type People = z.infer<typeof People>;

export const PersonData = z
  .strictObject({
    user: z.string(),
    agent_id: z.string().describe("The author of the person's cards, and the agent of the person's turns."),
    has_agent: z.boolean().describe("The person has launched work here. The agent and its id stay."),
    pseudonym: z.string().describe("What stands in place of the name, where rows stay, once the person is erased."),
    items: z.array(
      z.strictObject({
        kind: PersonKind,
        count: Counted.shape.count.describe("At most 1,000 are counted."),
        is_more: Counted.shape.is_more,
        goes: PersonGoes.describe("What erasing the person does to them."),
        why: z.string().optional(),
        path: z.string().describe("Lists them, in pages."),
      }),
    ),
  })
  .meta({ id: "PersonData" });
export type PersonData = z.infer<typeof PersonData>;

export const PersonItem = z
  .strictObject({
    id: z.string().describe("Of the card, turn, request, draft, plan, pack, run or deletion, or the name of the rest."),
    title: z.string(),
    at: z.string(),
    page: z.string().optional().describe("The page that shows it."),
  })
  .meta({ id: "PersonItem" });
export type PersonItem = z.infer<typeof PersonItem>;

export const PersonErased = z
  .strictObject({ deletion: Deletion, left: PersonData })
  .meta({ id: "PersonErased", description: "The record, and what is left with the reason why it stays." });
export type PersonErased = z.infer<typeof PersonErased>;
