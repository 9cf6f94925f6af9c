// What is chosen in the form lives in the address, so that a link opens it as it was:
// /packs/new?from=box:<id>,card:<id>&profile=expanded&reason=large_refactor
import { createParser, parseAsArrayOf, parseAsString, parseAsStringLiteral } from "nuqs";
import { GlobalMode } from "@/server/contract/context-pack/pack";
import { ExpandedReason, PackProfile } from "@/server/contract/context-pack/sidecar";
import type { SourceItem } from "./pack-form";

const parseAsSource = createParser<SourceItem>({
  parse: (text) => {
    const [, kind, id] = /^(box|card):([A-Za-z0-9_-]{1,128})$/.exec(text) ?? [];
    return id !== undefined && (kind === "box" || kind === "card") ? { kind, id } : null;
  },
  serialize: ({ kind, id }) => `${kind}:${id}`,
});

export const formParams = {
  from: parseAsArrayOf(parseAsSource).withDefault([]),
  decisions: parseAsArrayOf(parseAsString).withDefault([]),
  workspace: parseAsString,
  mode: parseAsStringLiteral(GlobalMode.options).withDefault("implementation"),
  profile: parseAsStringLiteral(PackProfile.options).withDefault("routine"),
  reason: parseAsStringLiteral(ExpandedReason.options),
};
