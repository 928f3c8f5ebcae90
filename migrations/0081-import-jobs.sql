-- Imports of the dashboard are run by jobs: the job has the id of its import, whose file and settings it reads. A process of
-- the version before would end such a job without its rows, or write them a second time: what it writes of the job, and of
-- the import while it runs, is refused. The triggers say what sessions have to know.
create or replace function refuse_other_tables() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('rapport.job_tables', true), '') <> all (tg_argv)
    and coalesce(nullif(current_setting('rapport.writer', true), ''),
      substring(current_setting('application_name') from '^rapport/(\d+)$')) is not null then
    raise exception 'A newer version of Rapport has changed this database: stop this process and start the new version'
      using errcode = 'cannot_connect_now';
  end if;
  return new;
end $$;
create or replace trigger other_tables before update on record_jobs for each row
  when (new.settings ?| array['dates', 'decimal', 'emptyCells', 'duplicateRules', 'encoding', 'hasOtherBytes'])
  execute function refuse_other_tables('as-written', 'of-imports');
create trigger of_imports before update on record_jobs for each row
  when (new.settings ? 'ofImport') execute function refuse_other_tables('of-imports');
create trigger run_by_job before update on imports for each row
  when (old.state = 'running' and old.settings ? 'isJob') execute function refuse_other_tables('of-imports');
