// LangGraph.js with its Postgres checkpointer: Send fans out to N nodes, a join node follows, every step is written
// before the next one starts.
import crypto from "node:crypto";
import { setMaxListeners } from "node:events";
import { Annotation, END, Send, START, StateGraph } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import type { OpenContender } from "../../fork/contender";

const State = Annotation.Root({
  n: Annotation<number>,
  results: Annotation<number[]>({ reducer: (left, right) => left.concat(right), default: () => [] }),
  joined: Annotation<number>,
});

export const openLangGraph: OpenContender = async (url) => {
  // It adds one abort listener per node, and Node warns from eleven on.
  setMaxListeners(0);
  const checkpointer = PostgresSaver.fromConnString(url);
  await checkpointer.setup();
  const graph = new StateGraph(State)
    .addNode("child", (task: { n: number }) => ({ results: [task.n] }))
    .addNode("join", (state) => ({ joined: state.results.length }))
    .addConditionalEdges(START, (state) => Array.from({ length: state.n }, (_, n) => new Send("child", { n })), [
      "child",
    ])
    .addEdge("child", "join")
    .addEdge("join", END)
    .compile({ checkpointer });
  return {
    fork: async (n) => {
      const thread_id = crypto.randomUUID();
      const state = await graph.invoke({ n }, { configurable: { thread_id }, durability: "sync" });
      if (state.joined !== n) throw new Error(`${state.joined} of ${n} joined`);
    },
    close: () => checkpointer.end(),
  };
};
