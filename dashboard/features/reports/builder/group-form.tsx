// The form of a group: for dates, the period and the time zone.
import { Checkbox, Stack } from '@mantine/core'
import { DATE_BUCKETS, type DateBucket } from '../../../../contract/report-states.ts'
import type { ReportGroupBy } from '../../../../contract/reports.ts'
import { capitalized } from '../../../shared/api/errors.ts'
import { Select } from '../../../ui/select.tsx'
import { useBuilder } from './builder-context.ts'
import { BUCKET_WORDS, groupWords } from './builder-words.ts'
import { LabelField } from './label-field.tsx'

const ZONES = Intl.supportedValuesOf('timeZone')
const BUCKETS = DATE_BUCKETS.map((value) => ({ value, label: capitalized(BUCKET_WORDS[value]) }))

type Change = (patch: Partial<ReportGroupBy>, tag?: string) => void

/** Only timestamps need a time zone, calendar dates do not. */
const isTimestamp = (field: string) => /\.(created|updated)_at$/.test(field)

function DateFields({ group, change }: { group: ReportGroupBy; change: Change }) {
  return (
    <>
      <Select
        label="By"
        data={BUCKETS}
        value={group.bucket ?? 'day'}
        allowDeselect={false}
        onChange={(bucket) => bucket && change({ bucket: bucket as DateBucket })}
        data-autofocus
      />
      <Checkbox
        label="Include empty periods"
        checked={group.fill ?? false}
        onChange={({ currentTarget }) => change({ fill: currentTarget.checked || undefined })}
      />
      {isTimestamp(group.field) && (
        <Select
          label="Time zone"
          placeholder="The organization’s"
          data={ZONES}
          value={group.timezone ?? null}
          searchable
          clearable
          limit={50}
          onChange={(timezone) => change({ timezone: timezone ?? undefined })}
        />
      )}
    </>
  )
}

export function GroupForm({ group, index }: { group: ReportGroupBy; index: number }) {
  const { act, objects, fields } = useBuilder()
  const { key: _, label, ...plain } = group
  const isDate = fields.find(({ slug }) => slug === group.field)?.type === 'date'
  const change: Change = (patch, tag) => act({ does: 'changeGroup', index, patch }, tag)
  return (
    <Stack gap="xs">
      {isDate && <DateFields group={group} change={change} />}
      <LabelField
        value={label}
        usual={groupWords({ objects, fields }, plain)}
        onChange={(text) => change({ label: text }, `group ${index}`)}
      />
    </Stack>
  )
}
