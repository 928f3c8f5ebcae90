// Chooses members of the organization, and in filters API keys and workflows, which create records too.
import { useQuery } from '@tanstack/react-query'
import { MultiPicker } from '../../ui/multi-picker.tsx'
import { creatorsQuery } from '../api/creators.ts'
import { membersQuery } from '../api/members.ts'
import { CREATORS, goneName, ME, MEMBERS } from '../api/record-names.ts'
import { useOrg } from '../use-organization.ts'
import type { Option } from './found-options.ts'
import { OnePicker } from './one-picker.tsx'
import type { PickerProps } from './reference-picker.tsx'

interface MemberPickerProps extends Omit<PickerProps, 'objectId'> {
  /** Offers the signed-in user: for filters. */
  withMe?: boolean | undefined
  /** Offers API keys and workflows. */
  withOthers?: boolean | undefined
}

type Offered = Pick<MemberPickerProps, 'withMe' | 'withOthers'>

/** The names of two members can be equal: then their emails distinguish them. */
function useMemberOptions(
  chosen: readonly string[],
  { withMe = false, withOthers = false }: Offered,
): Option[] {
  const org = useOrg()
  const { data: members = [] } = useQuery(membersQuery(org))
  const { data: creators = [] } = useQuery({ ...creatorsQuery(org), enabled: withOthers })
  const names = Map.groupBy(members, ({ user }) => user.name)
  const options = [
    ...members.map(({ user: { id, name, email } }) => ({
      value: id,
      label: name === '' || (names.get(name)?.length ?? 0) > 1 ? `${name} (${email})`.trimStart() : name,
    })),
    ...creators.map(({ id, label }) => ({ value: id, label })),
  ]
  const gone = goneName(withOthers ? CREATORS : MEMBERS)
  const known = new Set([ME, ...options.map(({ value }) => value)])
  // A filter that was written by API may have an email.
  const others = chosen
    .filter((one) => !known.has(one))
    .map((value) => ({ value, label: value.includes('@') ? value : gone }))
  return [...(withMe ? [{ value: ME, label: 'Me' }] : []), ...options, ...others]
}

export function MemberPicker({
  value,
  withMe,
  withOthers,
  ...field
}: MemberPickerProps & { value: string | null; onChange(value: string | null): void }) {
  const data = useMemberOptions(value === null ? [] : [value], { withMe, withOthers })
  return <OnePicker {...field} data={data} value={value} nothingFoundMessage="No matching members" />
}

export function MembersPicker({
  value,
  withMe,
  withOthers,
  ...field
}: MemberPickerProps & { value: string[]; onChange(value: string[]): void }) {
  const data = useMemberOptions(value, { withMe, withOthers })
  return (
    <MultiPicker {...field} data={data} value={value} clearable nothingFoundMessage="No matching members" />
  )
}
