-- The time that deletion by age goes by (server/jobs/deletion-clock.ts). One row.
create table deletion_clock (
  is_only boolean primary key default true check (is_only),
  -- The database's time when it was last looked at, and when it was last believed.
  seen_at timestamptz not null,
  trusted_at timestamptz not null,
  -- Since when the time has been far ahead of trusted_at; null: the time is believed.
  held_since timestamptz,
  -- Why nothing was deleted by age when a job last asked, for operators; null: it was.
  refusal text,
  refused_at timestamptz,
  -- The database's time when due times were last looked at: by it is seen that the clock was set back
  -- (server/jobs/due-times.ts).
  followed_at timestamptz not null default now()
);
insert into deletion_clock (seen_at, trusted_at) values (now(), now());
