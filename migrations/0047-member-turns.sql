-- Which member a step "Choose next member" of a workflow has chosen last.
create table member_turns (
  org int not null,
  workflow uuid not null,
  -- Of the step in the definition: steps[0]
  path text not null,
  last_user uuid,
  primary key (org, workflow, path),
  foreign key (org, workflow) references workflows (org, id) on delete cascade
);
