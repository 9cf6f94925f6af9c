// What stands in place of a title that quoted an erased card. Whoever looks back in the journal knows by it what not to repeat.
export const ERASED_TITLE = "[content deleted]";
