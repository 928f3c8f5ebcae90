// The form of a schedule: when the report runs, and who receives its results. It creates a workflow.

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { membersQuery } from '../../../shared/api/members.ts'
import { Form, FormEnd } from '../../../shared/form/form.tsx'
import { useDataForm } from '../../../shared/form/use-data-form.ts'
import { freeName } from '../../../shared/free-name.ts'
import { TimeZoneSelect } from '../../../shared/time-zone-select.tsx'
import { useOrg, useOrganization } from '../../../shared/use-organization.ts'
import { ReadOnlyNote } from '../../../ui/allowed.tsx'
import { MultiPicker } from '../../../ui/multi-picker.tsx'
import { Select } from '../../../ui/select.tsx'
import { SidePanel } from '../../../ui/side-panel.tsx'
import { createWorkflow, workflowsKey, workflowsQuery } from '../../workflows/api/workflows.ts'
import { BEGINNING, cronOf, EVERY_WORDS, type Schedule } from '../../workflows/cron-presets.ts'
import { NextTimes, PresetFields } from '../../workflows/schedule-parts.tsx'
import type { ReportDetail } from '../api/reports.ts'
import { reportPaths } from '../paths.ts'
import { scheduleName, scheduleWorkflow } from './schedule-workflow.ts'

const CHOICES = (['day', 'weekday', 'week', 'month'] as const).map((value) => ({
  value,
  label: EVERY_WORDS[value],
}))

interface Fields {
  schedule: Schedule
  timezone: string
  to: string[]
}

function useScheduling(report: ReportDetail, onClose: () => void) {
  const org = useOrg()
  const client = useQueryClient()
  const { organization } = useOrganization()
  return useDataForm<Fields>({
    draft: `schedule ${report.id}`,
    initial: { schedule: BEGINNING, timezone: organization.timeZone, to: [] },
    async save({ schedule, timezone, to }, { close }) {
      const workflows = await client.fetchQuery({ ...workflowsQuery(org), staleTime: 0 })
      const ownZone = timezone === organization.timeZone ? undefined : timezone
      const wanted = { schedule, timezone: ownZone, to }
      const url = `${window.location.origin}${reportPaths.report(org, report.id)}`
      await createWorkflow(org, {
        name: freeName(
          scheduleName(report, wanted),
          workflows.map(({ name }) => name),
        ),
        description: 'Made on the page of the report.',
        definition: scheduleWorkflow({ ...report, url }, wanted),
        enabled: true,
      })
      await client.invalidateQueries({ queryKey: workflowsKey(org) })
      close()
    },
    onClose,
  })
}

function Recipients({ value, onChange }: { value: string[]; onChange(to: string[]): void }) {
  const { data: members } = useQuery(membersQuery(useOrg()))
  return (
    <MultiPicker
      label="Send the results to"
      description="By email, with the first 100 rows and a link. Without recipients, it runs and its results are kept"
      data={(members ?? []).map(({ user }) => ({ value: user.email, label: `${user.name} (${user.email})` }))}
      value={value}
      onChange={onChange}
      placeholder={value.length > 0 ? undefined : 'No recipients'}
      searchable
      clearable
      nothingFoundMessage="No matching members"
    />
  )
}

function ScheduleForm({ report, onClose }: { report: ReportDetail; onClose(): void }) {
  const form = useScheduling(report, onClose)
  const { organization } = useOrganization()
  const { schedule, timezone } = form.values
  const change = (part: Partial<Schedule>) => form.change({ schedule: { ...schedule, ...part } })
  return (
    <Form form={form}>
      <p className="muted small">This creates a workflow, where you can change it or switch it off.</p>
      <Select
        label="Runs"
        data={CHOICES}
        value={schedule.every}
        allowDeselect={false}
        onChange={(every) => every && change({ every: every as Schedule['every'] })}
        data-autofocus
      />
      <PresetFields schedule={schedule} set={change} />
      <TimeZoneSelect {...form.field('timezone')} />
      <Recipients {...form.field('to')} />
      <NextTimes
        org={organization.slug}
        cron={cronOf(schedule)}
        timezone={timezone === organization.timeZone ? undefined : timezone}
      />
      <FormEnd form={form} verb="Schedule report" shown={[]} />
    </Form>
  )
}

/** Mount only while the panel is open. */
export function SchedulePanel({ report, onClose }: { report: ReportDetail; onClose(): void }) {
  const { may } = useOrganization()
  return (
    <SidePanel title={`Schedule “${report.name}”`} onClose={onClose}>
      {may('admin') ? (
        <ScheduleForm report={report} onClose={onClose} />
      ) : (
        <ReadOnlyNote>
          A schedule is a workflow: owners and admins create those. Ask one of them to schedule this report.
        </ReadOnlyNote>
      )}
    </SidePanel>
  )
}
