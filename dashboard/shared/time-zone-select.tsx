import { Select } from '../ui/select.tsx'
/** `UTC` is not in the list of some browsers. */
export const TIME_ZONES = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])]
export const zoneLabel = (zone: string) => zone.replaceAll('_', ' ')

interface TimeZoneSelectProps {
  value: string
  onChange(value: string): void
  label?: string
  error?: string | undefined
  disabled?: boolean
}

export function TimeZoneSelect({ value, onChange, ...field }: TimeZoneSelectProps) {
  // One that the service knows under another name is still shown.
  const zones = TIME_ZONES.includes(value) ? TIME_ZONES : [value, ...TIME_ZONES]
  return (
    <Select
      label="Time zone"
      {...field}
      data={zones.map((zone) => ({ value: zone, label: zoneLabel(zone) }))}
      value={value}
      onChange={(zone) => zone && onChange(zone)}
      searchable
      allowDeselect={false}
      limit={60}
      nothingFoundMessage="No matching time zones"
    />
  )
}
