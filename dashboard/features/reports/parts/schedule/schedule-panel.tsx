// A report that runs by itself: when, and who gets its results. It becomes a workflow.
import { Button, Group, Select, Stack } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { membersQuery } from '../../../../shared/api/members.ts'
import { FormError } from '../../../../shared/form-error.tsx'
import { freeName } from '../../../../shared/free-name.ts'
import { TimeZoneSelect } from '../../../../shared/time-zone-select.tsx'
import { useOrg, useOrganization } from '../../../../shared/use-organization.ts'
import { useSubmit } from '../../../../shared/use-submit.ts'
import { ReadOnlyNote } from '../../../../ui/allowed.tsx'
import { MultiPicker } from '../../../../ui/multi-picker.tsx'
import { SidePanel } from '../../../../ui/side-panel.tsx'
import { createWorkflow, workflowsKey, workflowsQuery } from '../../../workflows/api/workflows.ts'
import { BEGINNING, cronOf, EVERY_WORDS, type Schedule } from '../../../workflows/cron-presets.ts'
import { NextTimes, PresetFields } from '../../../workflows/schedule-parts.tsx'
import type { ReportDetail } from '../../api/reports.ts'
import { reportPaths } from '../../paths.ts'
import { scheduleName, scheduleWorkflow } from './schedule-workflow.ts'

const CHOICES = (['day', 'weekday', 'week', 'month'] as const).map((value) => ({
  value,
  label: EVERY_WORDS[value],
}))

function useScheduling(report: ReportDetail, onDone: () => void) {
  const org = useOrg()
  const client = useQueryClient()
  const { organization } = useOrganization()
  const [schedule, setSchedule] = useState<Schedule>(BEGINNING)
  const [timezone, setTimezone] = useState(organization.timeZone)
  const [to, setTo] = useState<string[]>([])
  const ownZone = timezone === organization.timeZone ? undefined : timezone
  const submission = useSubmit(async () => {
    const workflows = await client.fetchQuery({ ...workflowsQuery(org), staleTime: 0 })
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
    onDone()
  })
  const change = (part: Partial<Schedule>) => setSchedule((before) => ({ ...before, ...part }))
  return { ...submission, schedule, change, timezone, setTimezone, ownZone, to, setTo }
}

function Recipients({ to, onChange }: { to: string[]; onChange(to: string[]): void }) {
  const { data: members } = useQuery(membersQuery(useOrg()))
  return (
    <MultiPicker
      label="Send the results to"
      description="By email, with the first 100 rows and a link. Without recipients, it runs and its results are kept"
      data={(members ?? []).map(({ user }) => ({ value: user.email, label: `${user.name} (${user.email})` }))}
      value={to}
      onChange={onChange}
      placeholder={to.length > 0 ? undefined : 'No recipients'}
      searchable
      clearable
      nothingFoundMessage="No matching members"
    />
  )
}

function ScheduleForm({ report, onClose }: { report: ReportDetail; onClose(): void }) {
  const form = useScheduling(report, onClose)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit(undefined)
      }}
    >
      <Stack gap="md">
        <p className="muted small">This creates a workflow, where you can change it or switch it off.</p>
        <Select
          label="Runs"
          data={CHOICES}
          value={form.schedule.every}
          allowDeselect={false}
          onChange={(every) => every && form.change({ every: every as Schedule['every'] })}
          data-autofocus
        />
        <PresetFields schedule={form.schedule} set={form.change} />
        <TimeZoneSelect value={form.timezone} onChange={form.setTimezone} />
        <Recipients to={form.to} onChange={form.setTo} />
        <NextTimes org={useOrg()} cron={cronOf(form.schedule)} timezone={form.ownZone} />
        <FormError error={form.error} />
        <Group gap="xs" justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={form.isBusy}>
            Schedule report
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Render it while it is open. */
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
