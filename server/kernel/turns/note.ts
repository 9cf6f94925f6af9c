// What a turn is doing, or how it ended, in a few words. It comes from tools, models and other people's workers, so it may
// contain anything.
import { mendText } from "@/server/contract/text";

const NOTE_MAX = 160;

/** Cut by code points: half a character, or one that no database can store, used to make the write fail. */
export const noteOf = (words: string): string => mendText(Array.from(words).slice(0, NOTE_MAX).join("")).value;
