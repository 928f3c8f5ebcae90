-- An attribute may become unique later: meanwhile every write claims its values too, and a job claims those of the
-- records that are there (server/attribute-changes/key-job.ts), as while the rule about case changes. One that is
-- unique no longer loses the keys of its values.
lock table attributes, case_changes in access exclusive mode;

-- Whether keys are made, or removed, because the attribute becomes unique, or is unique no longer.
alter table case_changes add column of_uniqueness boolean not null default false;

-- When it became unique; null: with its creation. Records that were deleted before have no keys of it.
alter table attributes add column unique_since timestamptz;

-- A process of the version before claims no values of an attribute that is becoming unique: its writes of records are
-- refused as long as there is one. Sessions of this version say by-change, which costs less than what follows it.
create or replace function refuse_older_writers() returns trigger language plpgsql as $$
declare
  writer int;
begin
  if current_setting('rapport.unique_keys', true) = 'by-change' then return null; end if;
  writer := coalesce(nullif(current_setting('rapport.writer', true), ''),
    substring(current_setting('application_name') from '^rapport/(\d+)$'))::int;
  if writer is null then return null; end if;
  if writer >= 7 and (tg_table_name <> 'records' or not exists (
      select from case_changes where of_uniqueness and phase = 'fill')) then return null; end if;
  raise exception 'A newer version of Rapport has changed this database: stop this process and start the new version'
    using errcode = 'cannot_connect_now';
end $$;

create or replace function refuse_writers_by_case() returns trigger language plpgsql as $$
begin
  -- First: queries in the same condition would cost each statement ten times as much.
  if current_setting('rapport.unique_keys', true) in ('by-rule', 'by-change') then return null; end if;
  if coalesce(nullif(current_setting('rapport.writer', true), ''),
      substring(current_setting('application_name') from '^rapport/(\d+)$')) is not null
    and (exists (select from case_changes)
      or exists (select from attributes where config->>'caseSensitive' = 'false')) then
    raise exception 'A newer version of Rapport has changed this database: stop this process and start the new version'
      using errcode = 'cannot_connect_now';
  end if;
  return null;
end $$;

-- A job of the version before would take each change for one of the rule about case.
create function refuse_changes_by_case() returns trigger language plpgsql as $$
begin
  if current_setting('rapport.unique_keys', true) is distinct from 'by-change'
    and coalesce(nullif(current_setting('rapport.writer', true), ''),
      substring(current_setting('application_name') from '^rapport/(\d+)$')) is not null then
    raise exception 'A newer version of Rapport has changed this database: stop this process and start the new version'
      using errcode = 'cannot_connect_now';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger older_changes before update or delete on case_changes
  for each row when (old.of_uniqueness) execute function refuse_changes_by_case();
