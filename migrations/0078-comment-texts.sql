-- What comments were before and after a change by a program, so that it can be undone for a day: events of comments have
-- no text. Rows go with their comment.
create table comment_texts (
  org int not null references organizations (org) on delete cascade,
  event uuid not null,
  comment uuid not null,
  -- null: the comment was created.
  before text,
  after text not null,
  primary key (org, event)
);
create index comment_texts_comment on comment_texts (org, comment);
