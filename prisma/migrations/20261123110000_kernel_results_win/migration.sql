-- A call still has one result. But one that somebody else wrote down before, under the id of a call that is waited for, does not
-- keep the kernel's own from being written: that one names the card it stands in the place of, and is the one that counts.
DROP INDEX cards_one_result_per_call;
CREATE UNIQUE INDEX cards_one_result_per_call ON cards (tenant_id, tool_call_id, coalesce(metadata ->> 'supersedes', ''))
  WHERE (metadata ->> 'type') = 'tool.result';
