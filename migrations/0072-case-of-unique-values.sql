-- Values of unique attributes may be compared without case: config.caseSensitive. Such a value has another key in
-- `uniques` (server/records/values/unique-keys.ts). While the rule of an attribute changes, its values have both keys.
lock table attributes, uniques in share row exclusive mode;

create table case_changes (
  org int not null,
  attr int not null,
  -- The rule that the attribute gets, or had before.
  is_sensitive boolean not null,
  -- fill: records get keys by that rule beside those they have. clear: keys by that rule are removed.
  phase text not null check (phase in ('fill', 'clear')),
  -- The last record that has its keys.
  after uuid not null default '00000000-0000-0000-0000-000000000000',
  -- When the phase was found committed; infinity: not yet.
  since timestamptz not null default 'infinity',
  primary key (org, attr),
  foreign key (org, attr) references attributes on delete cascade
);

create index attributes_without_case on attributes (org, attr) where config->>'caseSensitive' = 'false';

-- A process of the version before writes one key only, by case. It is refused as soon as an attribute needs others.
create function refuse_writers_by_case() returns trigger language plpgsql as $$
begin
  -- First and alone: queries in the same condition would cost each statement ten times as much.
  if current_setting('rapport.unique_keys', true) = 'by-rule' then return null; end if;
  if coalesce(nullif(current_setting('rapport.writer', true), ''),
      substring(current_setting('application_name') from '^rapport/(\d+)$')) is not null
    and (exists (select from case_changes)
      or exists (select from attributes where config->>'caseSensitive' = 'false')) then
    raise exception 'A newer version of Rapport has changed this database: stop this process and start the new version'
      using errcode = 'cannot_connect_now';
  end if;
  return null;
end $$;
create trigger older_keys before insert on uniques for each statement execute function refuse_writers_by_case();
