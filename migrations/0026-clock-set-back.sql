-- The database's time when due times were last looked at: by it is seen that the clock was set back (jobs/due-times.ts).
alter table deletion_clock add column followed_at timestamptz not null default now();
