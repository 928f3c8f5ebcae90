-- Rows of a job whose record had their values already: nothing was written for them.
alter table record_jobs add column unchanged bigint not null default 0;
