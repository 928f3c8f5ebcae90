-- Reports: what is asked of the records, and what was answered.
create table reports (
  org int not null references organizations (org) on delete cascade,
  id uuid not null,
  name text not null,
  description text not null,
  -- Grows with every change.
  version int not null default 1,
  -- contract/reports.ts ReportDefinition
  definition jsonb not null,
  last_run_at timestamptz,
  created_by uuid not null references users,
  updated_at timestamptz not null default now(),
  primary key (org, id)
);
create unique index reports_name on reports (org, name);

create table report_runs (
  org int not null,
  id uuid not null,
  report uuid not null,
  status text not null default 'running' check (status in ('running', 'completed', 'failed')),
  -- What was asked: the report may ask something else by now.
  definition jsonb not null,
  result_count int not null default 0,
  -- ReportResults as JSON, gzipped: compressed already.
  results bytea storage external,
  error text,
  started_at timestamptz not null default now(),
  completed_at timestamptz,
  primary key (org, id),
  foreign key (org, report) references reports on delete cascade
);
create index report_runs_list on report_runs (org, report, id);
create index report_runs_running on report_runs (started_at) where status = 'running';

-- Several reports on one page.
create table report_dashboards (
  org int not null references organizations (org) on delete cascade,
  id uuid not null,
  name text not null,
  description text not null,
  -- Grows with every change.
  version int not null default 1,
  -- contract/report-dashboards.ts ReportTile[]. Tiles of deleted reports stay until the next change: nothing reads them.
  layout jsonb not null,
  created_by uuid not null references users,
  updated_at timestamptz not null default now(),
  primary key (org, id)
);
create unique index report_dashboards_name on report_dashboards (org, name);
