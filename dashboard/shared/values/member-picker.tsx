// Chooses members of the organization. In filters, it also offers API keys and workflows, which create records too.
import { useQuery } from '@tanstack/react-query'
import type { Option } from '../../ui/found-options.ts'
import { MultiPicker } from '../../ui/multi-picker.tsx'
import type { Nouns } from '../../ui/use-open-text.tsx'
import { creatorsQuery } from '../api/creators.ts'
import { membersQuery } from '../api/members.ts'
import { CREATORS, ME, MEMBERS, missingName } from '../api/record-names.ts'
import { useOrg } from '../use-organization.ts'
import { OnePicker } from './one-picker.tsx'
import type { PickerProps } from './reference-picker.tsx'

interface MemberPickerProps extends Omit<PickerProps, 'objectId'> {
  /** Also offers the signed-in user as "Me", for filters. */
  withMe?: boolean | undefined
  /** Also offers API keys and workflows. */
  withOthers?: boolean | undefined
}

type Offered = Pick<MemberPickerProps, 'withMe' | 'withOthers'>

const NOUNS: Nouns = { one: 'member', many: 'members' }

/** The options. Email addresses distinguish members with the same name. */
function useMemberOptions(
  chosen: readonly string[],
  { withMe = false, withOthers = false }: Offered,
): Option[] {
  const org = useOrg()
  const { data: members = [] } = useQuery(membersQuery(org))
  const { data: creators = [] } = useQuery({ ...creatorsQuery(org), enabled: withOthers })
  const options = [
    ...members.map(({ user: { id, name, email } }) => ({
      value: id,
      label: name || email,
      hint: name ? email : undefined,
    })),
    ...creators.map(({ id, label }) => ({ value: id, label })),
  ]
  const missing = missingName(withOthers ? CREATORS : MEMBERS)
  const known = new Set([ME, ...options.map(({ value }) => value)])
  // A filter written through the API may use an email address.
  const others = chosen
    .filter((one) => !known.has(one))
    .map((value) => ({ value, label: value.includes('@') ? value : missing }))
  return [...(withMe ? [{ value: ME, label: 'Me' }] : []), ...options, ...others]
}

export function MemberPicker({
  value,
  withMe,
  withOthers,
  ...field
}: MemberPickerProps & { value: string | null; onChange(value: string | null): void }) {
  const data = useMemberOptions(value === null ? [] : [value], { withMe, withOthers })
  return (
    <OnePicker {...field} data={data} value={value} nouns={NOUNS} nothingFoundMessage="No matching members" />
  )
}

export function MembersPicker({
  value,
  withMe,
  withOthers,
  ...field
}: MemberPickerProps & { value: string[]; onChange(value: string[]): void }) {
  const data = useMemberOptions(value, { withMe, withOthers })
  return (
    <MultiPicker
      {...field}
      data={data}
      value={value}
      nouns={NOUNS}
      clearable
      nothingFoundMessage="No matching members"
    />
  )
}
