-- Who is to do a task: the id of a user who was a member when it was assigned.
alter table activities add column assignee uuid;

create index activities_assigned on activities (org, assignee, activity_date, id) where assignee is not null;
