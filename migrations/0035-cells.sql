-- Cells (server/cells): databases that hold organizations whole. The directory has every organization, user, member
-- and API key; it is cell 0, and the only one unless others are added. A cell has copies of its organizations' rows.

alter table organizations add column cell int not null default 0;
create index organizations_cell on organizations (cell);
-- By which changes of keys are copied.
create index api_keys_id on api_keys (id);

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

-- Rows of the directory that changed and are to be copied to a cell again; the one that copies them removes them.
create table identity_changes (
  seq bigint generated always as identity,
  cell int not null,
  kind text not null check (kind in ('organization', 'member', 'user', 'key')),
  id uuid not null,
  primary key (cell, seq)
);

create function note_identity_change() returns trigger language plpgsql as $$
declare
  changed record;
begin
  if tg_op = 'DELETE' then changed := old; else changed := new; end if;
  if tg_table_name = 'organizations' then
    insert into identity_changes (cell, kind, id) select changed.cell, 'organization', changed.id where changed.cell > 0;
  elsif tg_table_name = 'members' then
    insert into identity_changes (cell, kind, id)
    select o.cell, 'member', changed.id from organizations o where o.id = changed.organization_id and o.cell > 0;
  elsif tg_table_name = 'users' then
    -- For every cell: it may have the user as a former member, and a membership may be committed at this moment.
    insert into identity_changes (cell, kind, id) select cell, 'user', changed.id from cells;
  else
    insert into identity_changes (cell, kind, id)
    select o.cell, 'key', changed.id from organizations o where o.org = changed.org and o.cell > 0;
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
