// What was asked for before a deletion is not shown after it.
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { readAgain } from "./read-again";

/** A query whose answers are given by hand, in the order in which they are asked for. */
function watched(queries: QueryClient) {
  const asked: ((answer: string) => void)[] = [];
  const observer = new QueryObserver(queries, {
    queryKey: ["card"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => new Promise<string>((done) => asked.push(done)),
  });
  const leave = observer.subscribe(() => undefined);
  return { asked, observer, leave };
}

const turn = () => new Promise((done) => setTimeout(done, 0));

test("a first answer on its way is dropped and asked for again", async () => {
  const queries = new QueryClient();
  const { asked, observer, leave } = watched(queries);
  const reading = readAgain(queries);
  expect(asked).toHaveLength(2);
  asked[0]?.("before the deletion");
  await turn();
  expect(observer.getCurrentResult()).toMatchObject({ data: undefined, isPending: true, error: null });
  asked[1]?.("after it");
  await reading;
  expect(observer.getCurrentResult()).toMatchObject({ data: "after it", error: null });
  leave();
});

test("what is shown stays until it has been read again", async () => {
  const queries = new QueryClient();
  const { asked, observer, leave } = watched(queries);
  asked[0]?.("first");
  await turn();
  const reading = readAgain(queries);
  expect(observer.getCurrentResult().data).toBe("first");
  asked[1]?.("second");
  await reading;
  expect(observer.getCurrentResult().data).toBe("second");
  leave();
});

test("a query that nobody watches is read when it is next shown", async () => {
  const queries = new QueryClient();
  const { asked, leave } = watched(queries);
  asked[0]?.("first");
  await turn();
  leave();
  await readAgain(queries);
  expect(asked).toHaveLength(1);
  expect(queries.getQueryState(["card"])?.isInvalidated).toBe(true);
});
