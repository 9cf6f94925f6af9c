"use client";

// The pack and its sidecar as JSON, to be searched, folded and copied.
import { useState } from "react";
import { JsonView } from "@/components/ui/json-view";
import { Segmented } from "@/components/ui/segmented";
import type { ContextPack } from "@/server/contract/context-pack/pack";
import type { Sidecar } from "@/server/contract/context-pack/sidecar";

export function PackJson({ pack, sidecar }: { pack: ContextPack; sidecar: Sidecar }) {
  const [of, setOf] = useState<"pack" | "sidecar">("pack");
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-4 py-2">
      <JsonView
        key={of}
        value={of === "pack" ? pack : sidecar}
        label={of === "pack" ? "The pack as JSON" : "The sidecar as JSON"}
        lead={
          <Segmented
            label="Which JSON"
            value={of}
            onChange={setOf}
            choices={[
              { value: "pack", label: "Pack" },
              { value: "sidecar", label: "Sidecar" },
            ]}
          />
        }
      />
    </div>
  );
}
