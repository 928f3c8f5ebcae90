// The form of a schedule: a common schedule or cron, and the next times.
import { Input, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { WorkflowDefinition } from '../../../../contract/workflows.ts'
import { TIME_ZONES, zoneLabel } from '../../../shared/time-zone-select.tsx'
import { useOrganization } from '../../../shared/use-organization.ts'
import { Select } from '../../../ui/select.tsx'
import { BEGINNING, cronOf, EVERY, EVERY_WORDS, type Every, scheduleOf } from '../cron-presets.ts'
import { NextTimes, PresetFields } from '../schedule-parts.tsx'
import { useProblem } from './field-props.ts'
import { useFormPlace } from './form-context.ts'
import { withSetting } from './triggers.ts'

interface ScheduleFieldsProps {
  definition: WorkflowDefinition
  onChange(definition: WorkflowDefinition): void
}

const CHOICES = EVERY.map((value) => ({ value, label: EVERY_WORDS[value] }))
function CronField({ cron, onChange }: { cron: string; onChange(cron: string): void }) {
  return (
    <TextInput
      label="Cron"
      description="Minute, hour, day of the month, month, day of the week"
      placeholder="0 9 * * 1"
      value={cron}
      required
      autoComplete="off"
      spellCheck={false}
      classNames={{ input: 'mono tiny' }}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

function ZoneField({
  value,
  onChange,
}: {
  value: string | undefined
  onChange(zone: string | undefined): void
}) {
  const { organization } = useOrganization()
  return (
    <Select
      label="Time zone"
      data={TIME_ZONES.map((zone) => ({ value: zone, label: zoneLabel(zone) }))}
      value={value ?? null}
      placeholder={`${zoneLabel(organization.timeZone)}, of the organization`}
      searchable
      clearable
      limit={60}
      nothingFoundMessage="No matching time zones"
      error={useProblem('triggerConfig.timezone')}
      onChange={(zone) => onChange(zone ?? undefined)}
    />
  )
}

export function ScheduleFields({ definition, onChange }: ScheduleFieldsProps) {
  const { org } = useFormPlace().context
  const { cron = '', timezone } = definition.triggerConfig ?? {}
  const preset = scheduleOf(cron)
  // A schedule entered as cron stays cron, even if it equals a preset.
  const [isCustom, setCustom] = useState(preset === undefined)
  const every: Every = isCustom || !preset ? 'custom' : preset.every
  const error = useProblem('triggerConfig.cron')
  const setCron = (text: string) => onChange(withSetting(definition, 'cron', text))
  const choose = (chosen: Every) => {
    setCustom(chosen === 'custom')
    if (chosen !== 'custom') setCron(cronOf({ ...(preset ?? BEGINNING), every: chosen }))
  }
  return (
    <>
      <Select
        label="Runs"
        data={CHOICES}
        value={every}
        allowDeselect={false}
        onChange={(chosen) => chosen && choose(chosen as Every)}
      />
      {every === 'custom' || !preset ? (
        <CronField cron={cron} onChange={setCron} />
      ) : (
        <PresetFields schedule={preset} set={(part) => setCron(cronOf({ ...preset, ...part }))} />
      )}
      {error && <Input.Error>{error}</Input.Error>}
      <ZoneField value={timezone} onChange={(zone) => onChange(withSetting(definition, 'timezone', zone))} />
      <NextTimes org={org} cron={cron} timezone={timezone} />
    </>
  )
}
