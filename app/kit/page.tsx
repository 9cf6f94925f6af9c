"use client";

// Every primitive in every state, for looking at; removed before the product is released.
import { useTheme } from "next-themes";
import { Button } from "@/components/ui/button";
import { Logo } from "@/components/ui/logo";
import { KitControls } from "./kit-controls";
import { KitMarks } from "./kit-marks";
import { KitReaders } from "./kit-readers";

export default function KitPage() {
  const { setTheme } = useTheme();
  return (
    <main className="mx-auto max-w-340 p-8">
      <header className="mb-8 flex items-center gap-4">
        <Logo size={64} />
        <h1 className="text-display">Switchyard</h1>
        <span className="flex-1" />
        <Button onClick={() => setTheme("dark")}>Dark</Button>
        <Button onClick={() => setTheme("light")}>Light</Button>
      </header>
      <div className="grid grid-cols-1 gap-x-14 gap-y-10 sm:grid-cols-2">
        <KitMarks />
        <KitControls />
        <KitReaders />
      </div>
    </main>
  );
}
