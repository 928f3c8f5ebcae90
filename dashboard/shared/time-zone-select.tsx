import { Select } from '../ui/select.tsx'
/** Some browsers leave `UTC` out of their list. */
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
  // A zone that the service stores under another name is added to the list.
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
