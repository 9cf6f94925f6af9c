// `npm start`: everything a newcomer needs, from a fresh clone to a running yard.
import { buildIfStale } from "./build";
import { webPart, workerPart } from "./parts";
import { runProduct } from "./product";

await runProduct(() => [webPart(), workerPart()], buildIfStale);
