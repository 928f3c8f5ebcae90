-- Cells (server/cells): databases that hold organizations whole. The directory has every organization, user, member
-- and API key; it is cell 0, and the only one unless others are added. A cell has copies of its organizations' rows.

-- Which database this is: the installation's id is the directory's, also in its cells.
create table installation (
  is_only boolean primary key default true check (is_only),
  id uuid not null default gen_random_uuid(),
  cell int not null default 0
);
insert into installation default values;

-- In the directory. The address of a cell is in the setting CELLS, under its name.
create table cells (
  cell int primary key check (cell between 1 and 250),
  name text not null unique,
  -- A draining cell gets no new organizations.
  state text not null default 'active' check (state in ('active', 'draining')),
  added_at timestamptz not null default now()
);

-- Rows of the directory that changed and are to be copied to a cell again; the process that copies them removes them.
create table identity_changes (
  seq bigint generated always as identity,
  cell int not null,
  kind text not null check (kind in ('organization', 'member', 'user', 'key')),
  id uuid not null,
  -- How long a change waits to be copied to its cell: rapport cells status.
  noted_at timestamptz not null default now(),
  primary key (cell, seq)
);

-- While an organization moves, changes of its members and keys are noted for the cell it moves to as well: a member who
-- is removed during the copy is removed there too.
create function note_identity_change() returns trigger language plpgsql as $$
declare
  changed record;
begin
  if tg_op = 'DELETE' then changed := old; else changed := new; end if;
  if tg_table_name = 'organizations' then
    insert into identity_changes (cell, kind, id)
    select c.cell, 'organization', changed.id from (values (changed.cell), (changed.moving_to)) as c (cell)
    where c.cell > 0;
  elsif tg_table_name = 'members' then
    insert into identity_changes (cell, kind, id)
    select c.cell, 'member', changed.id
    from organizations o cross join lateral (values (o.cell), (o.moving_to)) as c (cell)
    where o.id = changed.organization_id and c.cell > 0;
  elsif tg_table_name = 'users' then
    -- For every cell: it may have the user as a former member, and a membership may be committed at this moment.
    insert into identity_changes (cell, kind, id) select cell, 'user', changed.id from cells;
  else
    insert into identity_changes (cell, kind, id)
    select c.cell, 'key', changed.id
    from organizations o cross join lateral (values (o.cell), (o.moving_to)) as c (cell)
    where o.org = changed.org and c.cell > 0;
  end if;
  return null;
end $$;

create trigger identity_changes after insert or update or delete on organizations
  for each row execute function note_identity_change();
create trigger identity_changes after insert or update or delete on members
  for each row execute function note_identity_change();
create trigger identity_changes after update of name, email, email_verified, image, image_file on users
  for each row execute function note_identity_change();
create trigger identity_changes after insert or delete or update of name, scopes, expires_at on api_keys
  for each row execute function note_identity_change();

-- One database needs none of them: the first cell that is added enables them.
alter table organizations disable trigger identity_changes;
alter table members disable trigger identity_changes;
alter table users disable trigger identity_changes;
alter table api_keys disable trigger identity_changes;

-- In the directory: one row per move of an organization between cells (server/cells/move). Only it decides which cell
-- has the organization.
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
