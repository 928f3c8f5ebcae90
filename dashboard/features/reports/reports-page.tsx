// The list of reports, and buttons to create more.
import { Button, Group, Text, TextInput, Tooltip } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ChartColumn, Plus, Search, SearchX, Shapes } from 'lucide-react'
import { useRef, useState } from 'react'
import { reportsQuery } from '../../shared/api/report-list.ts'
import { EmptyState } from '../../shared/state.tsx'
import { useOrg } from '../../shared/use-organization.ts'
import type { Columns } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Page } from '../../ui/page.tsx'
import { ColumnTime } from '../../ui/time.tsx'
import { useShortcuts } from '../../ui/use-shortcuts.ts'
import type { Report } from './api/reports.ts'
import { ReportMenu } from './changes/report-menu.tsx'
import { Gallery } from './gallery/gallery.tsx'
import { ReportTemplates } from './gallery/report-templates.tsx'
import { CREATOR, nameColumn } from './list/columns.tsx'
import { matching } from './list/matching.ts'
import { ReportTabs } from './page/report-tabs.tsx'
import { reportPaths } from './paths.ts'
import { useReportSearch } from './report-search.ts'

function ReportTable({ reports }: { reports: readonly Report[] }) {
  const org = useOrg()
  const columns: Columns<Report> = [
    nameColumn('Report', (id) => reportPaths.report(org, id)),
    {
      title: 'Last run',
      isFit: true,
      cell: ({ lastRunAt }) =>
        lastRunAt ? <ColumnTime value={lastRunAt} /> : <span className="muted">Never</span>,
    },
    CREATOR,
    { title: 'More', kind: 'actions', cell: (report) => <ReportMenu report={report} /> },
  ]
  return <DataTable label="Reports" columns={columns} rows={reports} />
}

function CreateButton() {
  return (
    <Tooltip label="Create report (C)">
      <Button
        component={Link}
        to={reportPaths.newReport(useOrg())}
        leftSection={<Plus size={14} aria-hidden />}
        aria-keyshortcuts="C"
      >
        Create report
      </Button>
    </Tooltip>
  )
}

function GalleryButton() {
  const [, change] = useReportSearch()
  return (
    <Button
      variant="default"
      className="word-only"
      leftSection={<Shapes size={14} aria-hidden />}
      onClick={() => change({ gallery: 1 })}
    >
      Templates
    </Button>
  )
}

function Nothing() {
  const [, change] = useReportSearch()
  return (
    <>
      <EmptyState icon={ChartColumn} title="No reports yet" action={<CreateButton />}>
        A report answers a question from your records, such as what was won each month. Run it when you want,
        or on a schedule; each result is kept.
      </EmptyState>
      <section aria-labelledby="ready">
        <Text component="h2" id="ready" fw={600} mb={12}>
          Templates
        </Text>
        <ReportTemplates onChoose={(key) => change({ gallery: 1, ready: key })} />
      </section>
    </>
  )
}

function Found({ reports }: { reports: readonly Report[] }) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useShortcuts([['/', () => field.current?.focus()]])
  const found = matching(reports, text)
  return (
    <>
      <Tooltip label="Quick search (/)">
        <TextInput
          ref={field}
          w={260}
          type="search"
          aria-label="Search reports"
          placeholder="Search reports"
          leftSection={<Search size={14} aria-hidden />}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          aria-keyshortcuts="/"
        />
      </Tooltip>
      {found.length > 0 ? (
        <ReportTable reports={found} />
      ) : (
        <EmptyState icon={SearchX} title="No matching reports">
          The search covers name, description and creator.
        </EmptyState>
      )}
    </>
  )
}

export function ReportsPage() {
  const org = useOrg()
  const navigate = useNavigate()
  const { data: reports } = useSuspenseQuery(reportsQuery(org))
  const [{ gallery }, change] = useReportSearch()
  useShortcuts([['c', () => void navigate({ to: reportPaths.newReport(org) })]])
  const actions = (
    <Group gap="xs">
      <GalleryButton />
      <CreateButton />
    </Group>
  )
  return (
    <Page title="Reports" width="full" actions={reports.length > 0 && actions}>
      <ReportTabs />
      <div className="stack grow gap-16 listing">
        {reports.length > 0 ? <Found reports={reports} /> : <Nothing />}
      </div>
      {gallery && <Gallery onClose={() => change({ gallery: undefined, ready: undefined })} />}
    </Page>
  )
}
