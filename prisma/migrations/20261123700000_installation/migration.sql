-- Which database this is. Transaction ids are what cursors of the journal go by, and they go back when a dump is restored or a
-- standby takes over without the last commits: views were refused for ever, or missed turns and showed some that were gone.
-- The row is written by the first connection of a process (server/installation.ts), which may look at the server itself.
CREATE TABLE state.installation (
  is_one            boolean PRIMARY KEY DEFAULT true CHECK (is_one),
  -- Of pg_control_system(); null where the server does not let its role see it.
  system_identifier bigint,
  timeline          text NOT NULL,
  -- Only grows, by the clock: two restores of one backup are two generations.
  generation        bigint NOT NULL,
  began_at          timestamptz NOT NULL DEFAULT now(),
  reason            text NOT NULL CHECK (reason IN ('new', 'promoted', 'restored', 'moved')),
  -- Packs up to this one carry transaction ids of another server. No cursor of today stands before them.
  journal_from      bigint NOT NULL DEFAULT 0
);
