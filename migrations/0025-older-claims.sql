-- A process of an older version that still runs beside a newer one is turned away when it writes records (0018). It is
-- turned away too when it claims work, which it could not finish and would keep from others until its leases end: runs
-- of workflows, endpoints, and events to hand on. Jobs of pg-boss follow where its tables are made (jobs/older-claims.ts).
create trigger older_writers before insert or update on workflow_runs
  for each statement execute function refuse_older_writers();
create trigger older_writers before update on webhook_lanes
  for each statement execute function refuse_older_writers();
create trigger older_writers before update on svix_applications
  for each statement execute function refuse_older_writers();
create trigger older_writers before delete on event_pending
  for each statement execute function refuse_older_writers();
