"use client";

// The saved views of a project: each leads to its page, and the query that is asked now becomes one.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Menu, MenuItem, MenuLabel, MenuLink, MenuSeparator } from "@/components/ui/menu";
import { SaveViewDialog } from "./save-view-dialog";
import { type AskedQuery, pageNames, viewHref } from "./view-href";

export function ViewMenu({ projectId, page, query, list }: AskedQuery) {
  const trpc = useTRPC();
  const [isSaving, setIsSaving] = useState(false);
  const views = useQuery(trpc.view.list.queryOptions({ project_id: projectId }, patient));
  return (
    <>
      <Menu
        trigger={
          <Button size="sm" icon="save">
            Views
          </Button>
        }
      >
        <MenuLabel>Saved views</MenuLabel>
        {views.data?.map((view) => (
          <MenuLink key={view.name}>
            <Link href={viewHref(projectId, view)} prefetch={false}>
              <span className="truncate">{view.name}</span>
              <span className="ml-auto pl-3 text-ink-3">{pageNames[view.page]}</span>
            </Link>
          </MenuLink>
        ))}
        {views.data?.length === 0 ? <p className="px-3 py-1.5 text-ink-3">No saved views yet</p> : null}
        {views.error ? <p className="px-3 py-1.5 text-st-failed">{views.error.message}</p> : null}
        <MenuSeparator />
        <MenuItem icon="plus" isDisabled={query === "" && list === undefined} onSelect={() => setIsSaving(true)}>
          {page === "runs" ? "Save this view" : "Save this query"}
        </MenuItem>
      </Menu>
      {isSaving ? <SaveViewDialog {...{ projectId, page, query, list }} onClose={() => setIsSaving(false)} /> : null}
    </>
  );
}
