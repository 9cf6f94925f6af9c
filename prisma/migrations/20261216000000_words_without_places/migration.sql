-- The words of a card are kept without the places where they stand, which were two fifths of a search row. A query that asks for words side by side
-- (a phrase, and what Postgres takes apart, such as read_file) first finds the cards that have the words, and then looks at their text
-- (server/kernel/cardbox/words-of-card.ts). Rows written before keep their places, and are found in the same way.

-- Whether it asks for words side by side.
CREATE FUNCTION state.needs_places(q tsquery) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT q::text ~ '<(-|[0-9]+)>'
$$;

-- What words without places can be asked: never fewer hits than `q`, and the same hits where it needs no places. What must not occur is left out:
-- "not a phrase" would become "not these words". If that leaves nothing to ask, every card is looked at: a phrase matches no words without places, so
-- `q` alone would miss cards ("a phrase" or -word).
CREATE FUNCTION state.words_of_query(q tsquery) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN NOT state.needs_places(q) THEN q
    WHEN querytree(q) IN ('', 'T') THEN q || !!q
    ELSE regexp_replace(querytree(q), '<(-|[0-9]+)>', '&', 'g')::tsquery END
$$;
