-- Wrong passwords, counted for each account and place they came from: the more, the longer the next attempt waits.
create table sign_in_attempts (
  -- SHA-256 of the e-mail in lower case: attempts on accounts that do not exist count the same.
  account bytea not null,
  -- Network address; empty: from anywhere
  address text not null,
  failures int not null,
  blocked_until timestamptz,
  last_at timestamptz not null default now(),
  -- When the account was last entered from there: attempts of others do not hold it up.
  entered_at timestamptz,
  primary key (account, address)
);
create index sign_in_attempts_age on sign_in_attempts (last_at);

-- Links for a new password, by the user they are for.
create index verifications_value on verifications (value);
