// `npm run web`: the web server alone, for a deployment whose workers run elsewhere. Migrates first, as every process does.
import { buildIfStale } from "./build";
import { webPart } from "./parts";
import { runProduct } from "./product";

await runProduct(() => [webPart()], buildIfStale);
