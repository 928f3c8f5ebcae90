-- Mails to a member that were refused since the last one that was not, and when the next is tried.
alter table inboxes add column mail_failures int not null default 0, add column mail_after timestamptz;
