-- How long a change waits to be copied to its cell: rapport cells status.
alter table identity_changes add column noted_at timestamptz not null default now();
