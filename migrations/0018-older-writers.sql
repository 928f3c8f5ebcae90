-- A process from before index rows (0015) that still runs beside a newer one would write records without them, and
-- work on indexes as they were. Those are sessions that call themselves rapport: newer ones tell in that name which
-- writing they are of, and in rapport.writer too, in case the name is set by DATABASE_URL (db/pool.ts). They are turned
-- away as if the database were starting. Other programs are not looked at. A migration that changes what is written
-- along turns away rapport/2 here as well.
create function refuse_older_writers() returns trigger language plpgsql as $$
begin
  -- In the function: two microseconds of each statement, where a WHEN of the trigger would take fifteen.
  if current_setting('application_name') = 'rapport' then
    if coalesce(nullif(current_setting('rapport.writer', true), ''), '0')::int < 2 then
      raise exception 'A newer version of Rapport has changed this database: stop this process and start the new version'
        using errcode = 'cannot_connect_now';
    end if;
  end if;
  return null;
end $$;

create trigger older_writers before insert or update or delete on records
  for each statement execute function refuse_older_writers();
create trigger older_writers before insert or update or delete on objects
  for each statement execute function refuse_older_writers();
create trigger older_writers before insert or update or delete on attributes
  for each statement execute function refuse_older_writers();
-- Folding, which takes changes away.
create trigger older_writers before delete on stat_changes
  for each statement execute function refuse_older_writers();
