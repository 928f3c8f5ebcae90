-- Of a retry: the run that was retried first. What leaves the service has its id, so that receivers recognize it.
alter table workflow_runs add column first_run uuid;
