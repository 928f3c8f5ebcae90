-- How long records of an object are kept in which, and around which, nothing happens; without a row for good.
create table record_retention (
  org int not null,
  obj int not null,
  days int not null check (days > 0),
  primary key (org, obj),
  foreign key (org, obj) references objects on delete cascade
);
