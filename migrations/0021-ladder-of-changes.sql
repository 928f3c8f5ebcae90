-- Records are counted by when they were changed last, so that a far offset in that order is found: in ranges of whole
-- seconds since 1970, as stat_number has them of numbers, under attribute -1. Each statement that writes records tells
-- what it changes of them, as attribute -1 of stat_changes.

-- From here on nothing writes records, or says that an index is complete, until this is committed; then only those who
-- tell: 3 is what they call their writing (db/pool.ts, 0018).
lock table records, objects in share row exclusive mode;

create or replace function refuse_older_writers() returns trigger language plpgsql as $$
begin
  -- In the function: two microseconds of each statement, where a WHEN of the trigger would take fifteen.
  if current_setting('application_name') in ('rapport', 'rapport/2') then
    if coalesce(nullif(current_setting('rapport.writer', true), ''), '0')::int < 3 then
      raise exception 'A newer version of Rapport has changed this database: stop this process and start the new version'
        using errcode = 'cannot_connect_now';
    end if;
  end if;
  return null;
end $$;

-- Indexes that are complete go on as they are: what is there is counted, a second or so for a million records. Those
-- that are being built count it at their end.
insert into stat_number (org, obj, attr, low, n)
select org, obj, -1, case when step = 0 then '-Infinity' else min(second) end, sum(n)
from (
  select org, obj, second, n, floor((sum(n) over (partition by org, obj order by second) - n) / 2000) as step
  from (
    select r.org, r.obj, floor(extract(epoch from r.updated_at)) as second, count(*) as n
    from objects o join records r on r.org = o.org and r.obj = o.obj
    where o.index_state = 'ready' group by r.org, r.obj, second) as seconds) as placed
group by org, obj, step;
