// A React Flow page of its own defaults: as many nodes and edges as the plan, where React Flow puts and draws them itself.
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
import { createRoot } from "react-dom/client";

declare global {
  // What the bench hands the page.
  var graph: { nodes: Node[]; edges: Edge[] };
}

function Plain() {
  const [nodes, , onNodesChange] = useNodesState(globalThis.graph.nodes);
  const [edges, , onEdgesChange] = useEdgesState(globalThis.graph.edges);
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
    </div>
  );
}

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <ReactFlowProvider>
      <Plain />
    </ReactFlowProvider>,
  );
