-- The cards by which a context pack was handed over: its page names the boxes that hold it.
CREATE INDEX cards_by_context_pack ON cards (tenant_id, (metadata ->> 'sha256')) WHERE (metadata ->> 'type') = 'context.pack';
