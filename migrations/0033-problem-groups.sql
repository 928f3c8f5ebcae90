-- Equal problems of the check that is running, counted over all rows: {groups, more}.
alter table imports add column problem_groups jsonb not null default '{"groups": [], "more": 0}';
