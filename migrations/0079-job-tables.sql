-- Rows of a job whose record had their values already: nothing was written for them.
alter table record_jobs add column unchanged bigint not null default 0;

-- A process of the version before does not know how the table of such a job is read: what it writes of the job is refused.
-- Sessions of this version say what they know.
create function refuse_other_tables() returns trigger language plpgsql as $$
begin
  if current_setting('rapport.job_tables', true) is distinct from 'as-written'
    and coalesce(nullif(current_setting('rapport.writer', true), ''),
      substring(current_setting('application_name') from '^rapport/(\d+)$')) is not null then
    raise exception 'A newer version of Rapport has changed this database: stop this process and start the new version'
      using errcode = 'cannot_connect_now';
  end if;
  return new;
end $$;
create trigger other_tables before update on record_jobs for each row
  when (new.settings ?| array['dates', 'decimal', 'emptyCells', 'duplicateRules', 'encoding', 'hasOtherBytes'])
  execute function refuse_other_tables();
