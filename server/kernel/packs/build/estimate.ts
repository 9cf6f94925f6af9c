// What a pack costs, by the estimator that its sidecar names.
import { canonicalJson } from "@/server/contract/canonical-json";
import type { ContextPack } from "@/server/contract/context-pack/pack";
import type { Estimator } from "@/server/contract/context-pack/sidecar";
import { countTokens } from "@/server/kernel/tokens/count-tokens";

const estimators: Record<Estimator, (json: string) => number> = {
  o200k: countTokens,
  bytes4: (json) => Math.ceil(Buffer.byteLength(json) / 4),
};

export const estimatePack = (pack: ContextPack, estimator: Estimator): number =>
  estimators[estimator](canonicalJson(pack));
