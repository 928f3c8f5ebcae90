// Parts of the form of a schedule: days and times of common schedules, and the next times.
import { Button, Input, NumberInput, SimpleGrid, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { isTimeZone, knownTimeZone } from '../../shared/time-zone.ts'
import { dateFormat } from '../../ui/dates.ts'
import { TYPING_MS } from '../../ui/found-options.ts'
import { schedulePreviewQuery } from './api/workflows.ts'
import type { Schedule } from './cron-presets.ts'

/** Days of the week, Monday first. */
const DAYS = [1, 2, 3, 4, 5, 6, 0] as const
const dayName = dateFormat({ weekday: 'short', timeZone: 'UTC' })
/** 1 November 2026 is a Sunday. */
const nameOf = (day: number) => dayName.format(Date.UTC(2026, 10, 1 + day))

interface PartProps {
  schedule: Schedule
  set(part: Partial<Schedule>): void
}

/** At least one day must be chosen. */
function DayChoice({ schedule: { days }, set }: PartProps) {
  const toggle = (day: number) => {
    const changed = days.includes(day)
      ? days.filter((one) => one !== day)
      : [...days, day].sort((a, b) => a - b)
    if (changed.length > 0) set({ days: changed })
  }
  return (
    <fieldset aria-label="Days">
      <SimpleGrid cols={7} spacing={4}>
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
      </SimpleGrid>
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

/** The fields of a common schedule: days and time. */
export function PresetFields({ schedule, set }: PartProps) {
  return (
    <>
      {schedule.every === 'week' && <DayChoice schedule={schedule} set={set} />}
      <SimpleGrid cols={schedule.every === 'month' ? 2 : 1} spacing={8}>
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
      </SimpleGrid>
    </>
  )
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = dateFormat({ dateStyle: 'full', timeStyle: 'short', timeZone: knownTimeZone(timeZone) })
  formats.set(timeZone, format)
  return format
}

interface NextTimesProps {
  org: string
  cron: string
  /** undefined: the time zone of the organization. */
  timezone: string | undefined
}

/** The next times, in the time zone of the schedule. */
export function NextTimes({ org, cron, timezone }: NextTimesProps) {
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
      <ul className="small">
        {data.times.map((time) => (
          <li key={time}>
            <time dateTime={time}>{formatIn(data.timezone).format(new Date(time))}</time>
            {!isTimeZone(data.timezone) && ' (UTC)'}
          </li>
        ))}
      </ul>
    </div>
  )
}
