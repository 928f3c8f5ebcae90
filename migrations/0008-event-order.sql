-- In which order the feed of events goes.

-- By type, so that a reader of a rare type does not pass by everything else; a reader of every type merges eight.
drop index events_feed;
create index events_feed on events (org, type, tx, id);

-- Transaction ids belong to a cluster: in another one, where a dump was restored, they begin anew. There `ahead` is
-- added to them (events.tx has it in its default), so that what is written goes on behind what was restored.
create table event_clock (
  is_only boolean primary key default true check (is_only),
  -- system_identifier of the cluster the events were last written in
  cluster bigint not null,
  ahead bigint not null default 0 check (ahead >= 0)
);
insert into event_clock (cluster) select system_identifier from pg_control_system();
