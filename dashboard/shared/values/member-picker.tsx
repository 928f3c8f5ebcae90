// Chooses members of the organization.
import { useQuery } from '@tanstack/react-query'
import { MultiPicker } from '../../ui/multi-picker.tsx'
import { membersQuery } from '../api/members.ts'
import { goneName, ME, MEMBERS } from '../api/record-names.ts'
import { useOrg } from '../use-organization.ts'
import type { Option } from './found-options.ts'
import { OnePicker } from './one-picker.tsx'
import type { PickerProps } from './reference-picker.tsx'

interface MemberPickerProps extends Omit<PickerProps, 'objectId'> {
  /** Offers the signed-in user: for filters. */
  withMe?: boolean | undefined
}

/** The names of two members can be equal: then their emails distinguish them. */
function useMemberOptions(chosen: readonly string[], withMe: boolean): Option[] {
  const { data: members = [] } = useQuery(membersQuery(useOrg()))
  const names = Map.groupBy(members, ({ user }) => user.name)
  const options = members.map(({ user: { id, name, email } }) => ({
    value: id,
    label: name === '' || (names.get(name)?.length ?? 0) > 1 ? `${name} (${email})`.trimStart() : name,
  }))
  const known = new Set([ME, ...options.map(({ value }) => value)])
  // A filter that was written by API may have an email.
  const others = chosen
    .filter((one) => !known.has(one))
    .map((value) => ({ value, label: value.includes('@') ? value : goneName(MEMBERS) }))
  return [...(withMe ? [{ value: ME, label: 'Me' }] : []), ...options, ...others]
}

export function MemberPicker({
  value,
  withMe = false,
  ...field
}: MemberPickerProps & { value: string | null; onChange(value: string | null): void }) {
  const data = useMemberOptions(value === null ? [] : [value], withMe)
  return <OnePicker {...field} data={data} value={value} nothingFoundMessage="No matching members" />
}

export function MembersPicker({
  value,
  withMe = false,
  ...field
}: MemberPickerProps & { value: string[]; onChange(value: string[]): void }) {
  const data = useMemberOptions(value, withMe)
  return (
    <MultiPicker {...field} data={data} value={value} clearable nothingFoundMessage="No matching members" />
  )
}
