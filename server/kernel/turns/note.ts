// What a turn does, or how it ended, in a few words: of tools, models and other people's workers, so anything may be in it.
import { mendText } from "@/server/contract/text";

const NOTE_MAX = 160;

/** Cut by code points: half a sign, and what no database can hold, made the write fail that carried it. */
export const noteOf = (words: string): string => mendText(Array.from(words).slice(0, NOTE_MAX).join("")).value;
