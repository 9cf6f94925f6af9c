"use client";

import { useState } from "react";
import { Aspect } from "@/components/ui/aspect";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Chip, ToggleChip } from "@/components/ui/chip";
import { Dialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { FactColumns, FactLines } from "@/components/ui/facts";
import { Field } from "@/components/ui/field";
import { IconButton } from "@/components/ui/icon-button";
import { Kbd } from "@/components/ui/kbd";
import { Menu, MenuCheck, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from "@/components/ui/menu";
import { Popover } from "@/components/ui/popover";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { useShortcut } from "@/components/ui/shortcuts";
import { SkeletonRows } from "@/components/ui/skeleton";
import { Tabs } from "@/components/ui/tabs";
import { SearchInput, TextArea, TextInput } from "@/components/ui/text-input";
import { Ago, Clock, Elapsed } from "@/components/ui/time";
import { announce } from "@/components/ui/toaster";
import { Block } from "./block";

const started = "2026-01-05T09:30:00.000Z";

export function KitControls() {
  const [lens, setLens] = useState<"a" | "b" | "c">("a");
  const [tab, setTab] = useState<"cards" | "model" | "tokens">("cards");
  const [isOpen, setIsOpen] = useState(false);
  const [query, setQuery] = useState("");
  const [isOn, setIsOn] = useState(true);
  const [profile, setProfile] = useState<"a" | "b" | null>(null);
  useShortcut("d", "Open the dialog", () => setIsOpen(true), { group: "Kit" });
  return (
    <>
      <Block title="Buttons">
        <div className="flex flex-wrap items-center gap-2">
          <Button variant="primary" icon="launch" keys="l">
            Launch
          </Button>
          <Button keys="b">Open box</Button>
          <Button icon="diff">Compare</Button>
          <Button variant="ghost">Cancel</Button>
          <Button variant="danger" icon="stop">
            Stop
          </Button>
          <Button size="sm">Small</Button>
          <Button disabled>Disabled</Button>
          <Button variant="primary" disabled>
            Launch
          </Button>
          <IconButton icon="copy" label="Copy" keys="mod+c" />
          <IconButton icon="x" label="Close" disabled />
        </div>
        <div className="mt-3 flex flex-wrap items-center gap-3">
          <Kbd keys="mod+k" /> <Kbd keys="g y" /> <Kbd keys="shift+f" /> <Kbd keys="mod+enter" /> <Kbd keys="?" />{" "}
          <Kbd keys="space" />
        </div>
      </Block>
      <Block title="Choices">
        <div className="flex flex-wrap items-center gap-3">
          <Segmented
            label="Lens"
            value={lens}
            onChange={setLens}
            choices={[
              { value: "a", label: "Delegations" },
              { value: "b", label: "Agents" },
              { value: "c", label: "Context flow", isDisabled: true },
            ]}
          />
          <Chip name="depth" onRemove={() => undefined}>
            ≤ 2
          </Chip>
          <Chip isMono>cost_table</Chip>
          <ToggleChip isOn={isOn} onChange={setIsOn}>
            <Aspect status="failed" label={null} />
            Failed only <span className="text-ink-3">1</span>
          </ToggleChip>
          <ToggleChip isOn={!isOn} onChange={(on) => setIsOn(!on)}>
            Inferred
          </ToggleChip>
          <Checkbox isChecked={isOn} onChange={setIsOn}>
            Checked
          </Checkbox>
          <Checkbox isChecked="some" onChange={setIsOn}>
            Some
          </Checkbox>
          <Menu trigger={<Button icon="more">Menu</Button>}>
            <MenuLabel>Turn</MenuLabel>
            <MenuItem icon="fork" keys="shift+f" onSelect={() => undefined}>
              Fork from here
            </MenuItem>
            <MenuItem icon="retry" detail="1 task" onSelect={() => undefined}>
              Retry
            </MenuItem>
            <MenuItem icon="stop" isDanger onSelect={() => undefined}>
              Stop
            </MenuItem>
            <MenuSeparator />
            <MenuCheck isChecked={isOn} onChange={setIsOn} detail="12">
              Show inferred
            </MenuCheck>
            <MenuSeparator />
            <MenuChoice
              value={lens}
              onChange={setLens}
              choices={[
                { value: "a", label: "Dark", icon: "moon" },
                { value: "b", label: "Light", icon: "sun" },
              ]}
            />
          </Menu>
          <Popover label="Facts" trigger={<Button>Popover</Button>}>
            Something small.
          </Popover>
        </div>
      </Block>
      <Block title="Fields">
        <div className="grid gap-3">
          <Field label="Name" hint="Lower case, no spaces." aside="optional">
            <TextInput placeholder="research" />
          </Field>
          <Field label="Instruction" error="The instruction is empty: write what the agent should do.">
            <TextArea placeholder="What should it do?" />
          </Field>
          <Field label="Profile">
            <Select
              value={profile}
              onChange={setProfile}
              options={[
                { value: "a", label: "Associate_Search", detail: "3 tools" },
                { value: "b", label: "Principal_Planner" },
              ]}
            />
          </Field>
          <SearchInput label="Find a card" value={query} onChange={setQuery} />
        </div>
      </Block>
      <Block title="Tabs, dialog, toast">
        <div className="flex h-28 flex-col">
          <Tabs
            label="Views"
            value={tab}
            onChange={setTab}
            tabs={[
              { value: "cards", label: "Cards", count: "9" },
              { value: "model", label: "As the model sees it" },
              { value: "tokens", label: "Tokens" },
            ]}
          >
            <p className="p-4">The {tab} panel.</p>
          </Tabs>
        </div>
        <div className="flex gap-2">
          <Button onClick={() => setIsOpen(true)}>Open the dialog</Button>
          <Button
            onClick={() => announce({ title: "Launched 2S06", detail: "Queued behind 2S04.", status: "dispatched" })}
          >
            Toast
          </Button>
          <Button
            onClick={() =>
              announce({ title: "Not launched", detail: "The box 4E7A is not yours to hand over.", status: "failed" })
            }
          >
            Failed toast
          </Button>
        </div>
        <Dialog
          isOpen={isOpen}
          onOpenChange={setIsOpen}
          title="Stop 2S04?"
          description="Stops 2S04. Its 8 cards stay. B1 closes as partial."
          footer={
            <>
              <Button variant="ghost" onClick={() => setIsOpen(false)}>
                Keep it running
              </Button>
              <Button variant="danger" icon="stop">
                Stop 2S04
              </Button>
            </>
          }
        >
          <Field label="Reason">
            <TextInput />
          </Field>
        </Dialog>
      </Block>
      <Block title="Facts and time">
        <FactColumns
          facts={[
            { name: "Depth", value: "2" },
            { name: "Epoch", value: "1" },
            { name: "Inbox", value: "0" },
            { name: "Billed", value: "35.3k" },
            { name: "Cost", value: "$0.052" },
          ]}
        />
        <div className="mt-3">
          <FactLines
            facts={[
              { name: "Started", value: <Clock at={started} /> },
              { name: "Running", value: <Elapsed since={started} /> },
              { name: "Beat", value: <Ago at={started} /> },
            ]}
          />
        </div>
      </Block>
      <Block title="Banners, empty, loading">
        <Banner tone="fail" title="The database does not answer.">
          What you see is as of 14:32:09. Trying again in 4 s.
        </Banner>
        <Banner tone="warn" title="An answer stayed behind." action={<Button size="sm">See the handover</Button>} />
        <Banner tone="lamp" title="Demo project." action={<Button size="sm">Remove it</Button>}>
          Scripted agents, no model is called.
        </Banner>
        <Banner tone="info" title="Imported run." />
        <EmptyState
          title="No turns"
          cause="No worker takes turns for worker_generic."
          mark={<Aspect status="queued" label={null} />}
          remedy={<Button size="sm">How to start a worker</Button>}
        />
        <SkeletonRows count={3} />
      </Block>
    </>
  );
}
