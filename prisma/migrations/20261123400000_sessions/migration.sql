-- Who is signed in. A session that was only a sealed date could not be called back: signed out, it went on for thirty days
-- for whoever had copied it. The id alone opens nothing; it needs the seal, which is made with the token.
CREATE TABLE state.sessions (
  session_id text PRIMARY KEY,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT sessions_id CHECK (length(session_id) BETWEEN 16 AND 64)
);
