-- What the steps before put aside. Each compared it with what answers in its place before it ended; kept longer, titles and summaries of
-- branches would outlive the runs that are deleted, where no deletion reaches them.
DROP TABLE before_lean.pmo_batch_tasks, before_lean.card_box_chunks;
DROP SCHEMA before_lean;
