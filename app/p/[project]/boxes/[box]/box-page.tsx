"use client";

// Connects the box and the card: neither feature knows the other.
import { BoxScreen } from "@/components/box/box-screen";
import { CardPane } from "@/components/card/card-pane";

export function BoxPage({ projectId, boxId }: { projectId: string; boxId: string }) {
  return (
    <BoxScreen
      key={boxId}
      projectId={projectId}
      boxId={boxId}
      renderCard={({ box, line, length, onBack }) => (
        <CardPane projectId={projectId} boxId={box.box_id} length={length} line={line} onBack={onBack} />
      )}
    />
  );
}
