// Deletions as they are answered: the record, what holds what would go, and how long runs are kept.
import * as z from "zod";
import { RETENTION_DAYS_MAX } from "../deletion";

const count = z.int().min(0);
/** Rows that are gone, or stay and why. A part that had none is left out. */
export const DeletionCounts = z
  .strictObject({
    turns: count.optional(),
    steps: count.optional(),
    boxes: count.optional(),
    agents: count.optional().describe("That were made in the run and never worked outside it."),
    cards: count.optional().describe("Of which nothing is left."),
    cards_kept: count.optional().describe("Cards that another box holds. They stay as they are."),
    artifacts: count.optional(),
    context_packs: count.optional(),
    requests: count.optional().describe("Requests whose stored bytes were removed, as they contained the card."),
    titles: count.optional().describe("Titles of turns and runs that quoted the card and were replaced."),
    views: count.optional(),
    drafts: count.optional(),
    names: count.optional().describe("Rows in which a pseudonym replaced the person's name."),
  })
  .meta({ id: "DeletionCounts" });
export type DeletionCounts = z.infer<typeof DeletionCounts>;

export const Deletion = z
  .strictObject({
    deletion_id: z.string(),
    kind: z.enum(["run", "card", "person"]),
    subject_id: z.string().describe("The run's root turn, the card, or the person: the pseudonym once it has ended."),
    number: z.int().optional().describe("Of the run."),
    deleted_by: z.string(),
    reason: z.string(),
    counts: DeletionCounts,
    begun_at: z.string(),
    ended_at: z.string().optional().describe("Absent while rows are left. The watchdog goes on with them."),
  })
  .meta({ id: "Deletion" });
export type Deletion = z.infer<typeof Deletion>;

/** At most 1,000 are counted; `is_more` says that there are more. */
export const Counted = z.strictObject({ count, is_more: z.literal(true).optional() }).meta({ id: "Counted" });
export type Counted = z.infer<typeof Counted>;

const RunNamed = z.strictObject({ root_turn_id: z.string(), number: z.int() });
/** At most 20 are named. */
const usedBy = <T extends z.ZodType>(item: T) => z.strictObject({ total: Counted, items: z.array(item) });

/** What goes on in other runs and was made of this one. */
export const RunUsers = z
  .strictObject({
    forks: usedBy(RunNamed.extend({ turns: z.int() })).describe(
      "Other runs with turns that are forks of turns of this one. Their pages name a turn that is no longer there.",
    ),
    batches: usedBy(RunNamed.extend({ batch_id: z.string() })).describe(
      "Batches of other runs that have not ended, with a branch that was given a box or a recorded result of this one.",
    ),
    plans: usedBy(RunNamed.extend({ plan_run_id: z.string(), name: z.string() })).describe(
      "Plan runs of other runs that have not ended, and name a box or card of this one or take over its results. A node that has not started yet fails once they are gone.",
    ),
  })
  .meta({ id: "RunUsers" });
export type RunUsers = z.infer<typeof RunUsers>;

export const RunHolds = z
  .strictObject({
    root_turn_id: z.string(),
    number: z.int(),
    live_turns: z.int().describe("Turns that have not ended. The run cannot be deleted before they have."),
    turns: Counted,
    cards: Counted.describe("In the boxes of the run that are no requests."),
    shared: z
      .array(RunNamed.extend({ cards: z.int() }))
      .describe("Other runs whose boxes hold cards of this one: those cards stay."),
    shared_elsewhere: z
      .int()
      .describe("Cards that boxes of no run hold, such as those that people gathered. They stay too."),
    used_by: RunUsers,
    profiles_left: usedBy(z.strictObject({ name: z.string() })).describe(
      "For an imported run: profiles that only its agents use. They stay. Plans may name them.",
    ),
    is_partial: z.literal(true).optional().describe("There is more than is looked at: cards, batches or plans."),
  })
  .meta({ id: "RunHolds" });
export type RunHolds = z.infer<typeof RunHolds>;

export const CardHolders = z
  .strictObject({
    card_id: z.string(),
    is_profile: z.boolean().describe("The body of a profile: it can be neither hidden nor erased."),
    boxes: Counted,
    requests: Counted.describe("Requests to models that contain it. Erasing removes their stored bytes."),
    turns: Counted,
    runs: z.array(RunNamed),
    agents: Counted,
    copies: Counted.describe("Copies that name it as their original. Erasing removes their content too."),
    same_words: Counted.describe("Other cards with the same words. They stay: erase them one by one."),
    is_partial: z.literal(true).optional().describe("It is in more places than are looked at."),
  })
  .meta({ id: "CardHolders" });
export type CardHolders = z.infer<typeof CardHolders>;

export const Retention = z
  .strictObject({
    days: z.int().min(1).max(RETENTION_DAYS_MAX).nullable().describe("null = runs are kept for ever."),
    due: Counted.describe("Runs that would be deleted now."),
    newest: RunNamed.extend({ title: z.string(), created_at: z.string() })
      .optional()
      .describe("The newest of the runs that would be deleted now."),
    kept: Counted.describe(
      "Runs that began long enough ago and stay: something in them has not ended, or ended later.",
    ),
  })
  .meta({ id: "Retention" });
export type Retention = z.infer<typeof Retention>;
