-- Tries of an erasure that ended in an unexpected error since it last went on.
alter table privacy_requests add column tries int not null default 0;
