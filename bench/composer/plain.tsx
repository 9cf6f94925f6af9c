// A React Flow page of its own defaults: as many nodes and edges as the plan, where React Flow puts and draws them itself. Its changes
// are the least that a page of React Flow can do for the composer's: no check, no search of ways, nothing saved, no inspector.
import {
  Background,
  type Edge,
  type Node,
  ReactFlow,
  ReactFlowProvider,
  useEdgesState,
  useNodesState,
} from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { useEffect } from "react";
import { createRoot } from "react-dom/client";

declare global {
  // What the bench hands the page.
  var graph: { nodes: Node[]; edges: Edge[] };
}

function Plain() {
  const [nodes, setNodes, onNodesChange] = useNodesState(globalThis.graph.nodes);
  const [edges, setEdges, onEdgesChange] = useEdgesState(globalThis.graph.edges);
  const first = nodes[0];
  useEffect(() => {
    /** Of the first node, which the field beside it writes too. */
    const marked = (className: string) =>
      setNodes((all) => all.map((node, i) => (i === 0 ? { ...node, className } : node)));
    const onKey = ({ key, target }: KeyboardEvent) => {
      if (target instanceof HTMLTextAreaElement) return;
      if (key === "p") marked("held");
      if (key === "z") marked("");
      if (key === "t") {
        const [id, source, next] = [crypto.randomUUID(), "w0", "w20"];
        const added = { id, position: { x: 100, y: 41 }, data: { label: "Task" }, style: { width: 244, height: 62 } };
        setNodes((all) => [...all, added]);
        setEdges((all) => [
          ...all,
          { id: `${source}-${id}`, source, target: id },
          { id: `${id}-${next}`, source: id, target: next },
        ]);
      }
      if (key === "l") setNodes((all) => all.map((node) => ({ ...node, position: lower(node.position) })));
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [setNodes, setEdges]);
  const write = (label: string) =>
    setNodes((all) => all.map((node, i) => (i === 0 ? { ...node, data: { ...node.data, label } } : node)));
  return (
    <div style={{ width: "100vw", height: "100vh" }}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        onNodesChange={onNodesChange}
        onEdgesChange={onEdgesChange}
        panOnScroll
        minZoom={0.05}
        fitView
      >
        <Background />
      </ReactFlow>
      <textarea
        aria-label="Words of the first node"
        style={{ position: "absolute", top: 0, right: 0, width: 300 }}
        value={String(first?.data.label ?? "")}
        onChange={(event) => write(event.target.value)}
      />
    </div>
  );
}

const lower = ({ x, y }: Node["position"]) => ({ x, y: y + 10 });

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <ReactFlowProvider>
      <Plain />
    </ReactFlowProvider>,
  );
