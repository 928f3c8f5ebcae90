-- Moves of organizations between cells (server/cells/move): what finds an organization, and what guards its rows.

-- In the directory. While it is set, no process caches in which cell the organization is.
alter table organizations add column moving_to int;

-- In the directory: one row per move. It alone decides which cell has the organization.
create table moves (
  org int primary key references organizations (org) on delete cascade,
  source int not null,
  target int not null,
  -- copying → closing (writes are refused) → switched; or cancelling
  state text not null default 'copying' check (state in ('copying', 'closing', 'switched', 'cancelling')),
  -- Increased with every attempt to close the source, so that a late step of an earlier attempt has no effect.
  round int not null default 0,
  -- The command at work, and its last sign of life.
  holder uuid not null,
  seen_at timestamptz not null default now(),
  state_at timestamptz not null default now(),
  started_at timestamptz not null default now()
);

-- In the directory: tokens without an organization (server/token.ts) that are not in cell 0 any more.
create table moved_tokens (
  -- SHA-256 of the token
  hash bytea primary key,
  org int not null references organizations (org) on delete cascade
);
create index moved_tokens_org on moved_tokens (org);

-- In a cell: what triggers allow on the rows of an organization (server/cells/move/guard.ts).
create table organization_moves (
  org int primary key,
  state text not null check (state in ('copying', 'paused', 'closed', 'left', 'hidden', 'open')),
  round int not null default 0,
  -- In the target: the command that may write.
  holder uuid,
  -- In the target: tables that are copied whole.
  copied text[] not null default '{}',
  changed_at timestamptz not null default now()
);

-- In the source: keys of rows that changed since the copy began.
create table move_changes (
  org int not null,
  id bigint generated always as identity,
  name text not null,
  key jsonb not null,
  -- By which it is seen whether a snapshot had it.
  tx xid8 not null default pg_current_xact_id(),
  primary key (org, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
