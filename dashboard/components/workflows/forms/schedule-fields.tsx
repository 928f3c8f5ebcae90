// When a schedule runs: by choice of what is common, or as cron writes it; and the next times.
import { Button, Input, NumberInput, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WorkflowDefinition } from '../../../../contract/workflows.ts'
import { schedulePreviewQuery } from '../../../api/workflows.ts'
import { TIME_ZONES, zoneLabel } from '../../identity/time-zone-select.tsx'
import { useOrganization } from '../../use-organization.ts'
import { TYPING_MS } from '../../values/found-options.ts'
import {
  BEGINNING,
  cronOf,
  EVERY,
  EVERY_WORDS,
  type Every,
  type Schedule,
  scheduleOf,
} from './cron-presets.ts'
import { useProblem } from './field-props.ts'
import { useFormPlace } from './form-context.ts'
import classes from './forms.module.css'
import { withSetting } from './triggers.ts'

interface ScheduleFieldsProps {
  definition: WorkflowDefinition
  onChange(definition: WorkflowDefinition): void
}

const CHOICES = EVERY.map((value) => ({ value, label: EVERY_WORDS[value] }))
/** Monday first. */
const DAYS = [1, 2, 3, 4, 5, 6, 0] as const
const dayName = new Intl.DateTimeFormat(undefined, { weekday: 'short', timeZone: 'UTC' })
/** 1 November 2026 is a Sunday. */
const nameOf = (day: number) => dayName.format(Date.UTC(2026, 10, 1 + day))

interface PartProps {
  schedule: Schedule
  set(part: Partial<Schedule>): void
}

/** One day at least. */
function DayChoice({ schedule: { days }, set }: PartProps) {
  const toggle = (day: number) => {
    const changed = days.includes(day)
      ? days.filter((one) => one !== day)
      : [...days, day].sort((a, b) => a - b)
    if (changed.length > 0) set({ days: changed })
  }
  return (
    <fieldset className={classes.fieldset} aria-label="Days">
      <div className={classes.days}>
        {DAYS.map((day) => (
          <Button
            key={day}
            variant={days.includes(day) ? 'light' : 'default'}
            aria-pressed={days.includes(day)}
            px={0}
            onClick={() => toggle(day)}
          >
            {nameOf(day)}
          </Button>
        ))}
      </div>
    </fieldset>
  )
}

function TimeChoice({ schedule, set }: PartProps) {
  if (schedule.every === 'hour')
    return (
      <NumberInput
        label="At minute"
        value={Number(schedule.time.slice(3))}
        min={0}
        max={59}
        clampBehavior="strict"
        allowDecimal={false}
        onChange={(minute) => set({ time: `00:${String(minute || 0).padStart(2, '0')}` })}
      />
    )
  return (
    <TextInput
      label="At"
      type="time"
      value={schedule.time}
      onChange={({ currentTarget }) => currentTarget.value && set({ time: currentTarget.value })}
    />
  )
}

function Preset({ schedule, set }: PartProps) {
  return (
    <>
      {schedule.every === 'week' && <DayChoice schedule={schedule} set={set} />}
      <div className={schedule.every === 'month' ? classes.two : undefined}>
        {schedule.every === 'month' && (
          <NumberInput
            label="On day"
            value={schedule.date}
            min={1}
            max={31}
            clampBehavior="strict"
            allowDecimal={false}
            onChange={(date) => date && set({ date: Number(date) })}
          />
        )}
        <TimeChoice schedule={schedule} set={set} />
      </div>
    </>
  )
}

const moment = new Map<string, Intl.DateTimeFormat>()

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const known = moment.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short', timeZone })
  moment.set(timeZone, format)
  return format
}

/** In the time zone of the schedule. */
function NextTimes({ cron, timezone }: { cron: string; timezone: string | undefined }) {
  const { org } = useFormPlace().context
  const [asked] = useDebouncedValue(cron, TYPING_MS)
  const { data } = useQuery({
    ...schedulePreviewQuery(org, asked, timezone),
    enabled: asked.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (!data || cron.trim() === '') return null
  return (
    <div>
      <Input.Label labelElement="div">Next times</Input.Label>
      <ul className={classes.times}>
        {data.times.map((time) => (
          <li key={time}>
            <time dateTime={time}>{formatIn(data.timezone).format(new Date(time))}</time>
          </li>
        ))}
      </ul>
    </div>
  )
}

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
      classNames={{ input: classes.code }}
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
      nothingFoundMessage="No time zone has this in its name"
      error={useProblem('triggerConfig.timezone')}
      onChange={(zone) => onChange(zone ?? undefined)}
    />
  )
}

export function ScheduleFields({ definition, onChange }: ScheduleFieldsProps) {
  const { cron = '', timezone } = definition.triggerConfig ?? {}
  const preset = scheduleOf(cron)
  // What is written by hand stays so, also where it could be chosen.
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
        <Preset schedule={preset} set={(part) => setCron(cronOf({ ...preset, ...part }))} />
      )}
      {error && <Input.Error>{error}</Input.Error>}
      <ZoneField value={timezone} onChange={(zone) => onChange(withSetting(definition, 'timezone', zone))} />
      <NextTimes cron={cron} timezone={timezone} />
    </>
  )
}
