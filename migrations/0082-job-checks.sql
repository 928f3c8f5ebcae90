-- Import jobs may only check their file (dryRun). A process of the version before would write the rows: what it writes of
-- such a job is refused. Sessions of this version say what they know.
create or replace trigger other_tables before update on record_jobs for each row
  when (new.settings ?| array['dates', 'decimal', 'emptyCells', 'duplicateRules', 'encoding', 'hasOtherBytes'])
  execute function refuse_other_tables('as-written', 'of-imports', 'of-checks');
create or replace trigger of_imports before update on record_jobs for each row
  when (new.settings ? 'ofImport') execute function refuse_other_tables('of-imports', 'of-checks');
create or replace trigger run_by_job before update on imports for each row
  when (old.state = 'running' and old.settings ? 'isJob')
  execute function refuse_other_tables('of-imports', 'of-checks');
create trigger of_checks before update on record_jobs for each row
  when (new.settings->>'dryRun' = 'true') execute function refuse_other_tables('of-checks');
