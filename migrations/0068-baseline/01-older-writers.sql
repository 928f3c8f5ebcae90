-- A process of an older version that runs while a newer one does must not write records without what the newer one
-- writes along, and must not claim work that it cannot finish. Sessions of the service say which writing they are of
-- (server/db/writer.ts): in rapport.writer, and in their name, which is all that pg-boss has behind a pooler. Those below
-- the number are refused as if the database were starting. Other programs are not looked at. A migration that raises the
-- number replaces this function. pg-boss makes its own tables: server/jobs/older-claims.ts adds the trigger there.
create function refuse_older_writers() returns trigger language plpgsql as $$
begin
  -- In the function: two microseconds of each statement, where a WHEN of the trigger would take fifteen.
  if coalesce(nullif(current_setting('rapport.writer', true), ''),
      substring(current_setting('application_name') from '^rapport/(\d+)$'))::int < 7 then
    raise exception 'A newer version of Rapport has changed this database: stop this process and start the new version'
      using errcode = 'cannot_connect_now';
  end if;
  return null;
end $$;
