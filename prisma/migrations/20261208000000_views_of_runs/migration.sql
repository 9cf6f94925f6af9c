-- A view of the list of runs has a status, an order and columns beside its query, and may do without a query.
ALTER TABLE resource.saved_views
  ADD COLUMN list jsonb,
  DROP CONSTRAINT saved_views_page_check,
  ADD CONSTRAINT saved_views_page_check CHECK (page IN ('search', 'cards', 'yard', 'runs')),
  DROP CONSTRAINT saved_views_query_check,
  ADD CONSTRAINT saved_views_query_check CHECK (char_length(query) <= 1000 AND (query <> '' OR list IS NOT NULL));
