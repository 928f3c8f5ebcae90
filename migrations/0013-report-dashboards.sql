-- Several reports on one page.
create table report_dashboards (
  org int not null references organizations (org) on delete cascade,
  id uuid not null,
  name text not null,
  description text not null,
  -- Grows with every change.
  version int not null default 1,
  -- contract/report-dashboards.ts ReportTile[]. Those of reports that are gone stay until the next change: nobody reads them.
  layout jsonb not null,
  created_by uuid not null references users,
  updated_at timestamptz not null default now(),
  primary key (org, id)
);
create unique index report_dashboards_name on report_dashboards (org, name);
