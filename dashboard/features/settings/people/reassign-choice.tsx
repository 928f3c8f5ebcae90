// Chooses what happens to the records and tasks of a leaving member.
import { Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { countedAll } from '../../../../contract/counted.ts'
import { messageOf } from '../../../shared/api/errors.ts'
import { membersQuery } from '../../../shared/api/members.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { OnePicker } from '../../../shared/values/one-picker.tsx'
import type { Member } from '../api/members.ts'
import { type Assignments, assignmentsQuery } from '../api/reassignments.ts'

/** `keep`: values stay, and are shown as “Former member”. */
export interface Reassigning {
  how: 'give' | 'clear' | 'keep'
  /** User id, only for `give`. */
  to: string | null
}

/** `3 deals (Owner), and 1 open task`; undefined for nothing. */
export const assignmentWords = ({ records, openTasks }: Assignments): string | undefined =>
  countedAll([
    ...records.map(({ singularName, pluralName, attribute, count }) => {
      const [one, many] = [singularName, pluralName].map((name) => `${name.toLowerCase()} (${attribute})`)
      return [count, one ?? '', many] as const
    }),
    [openTasks, 'open task'],
  ])

interface ChoiceProps {
  member: Member
  value: Reassigning
  onChange(value: Reassigning): void
}

function Choices({ member, value, onChange }: ChoiceProps) {
  const { data: members = [] } = useQuery(membersQuery(useOrg()))
  const others = members.filter(({ id }) => id !== member.id)
  return (
    <Radio.Group
      aria-label="What happens to them"
      value={value.how}
      onChange={(how) => onChange({ ...value, how: how as Reassigning['how'] })}
    >
      <Stack gap="xs">
        <Radio value="give" label="Give them to another member" />
        {value.how === 'give' && (
          <OnePicker
            aria-label="Member"
            placeholder="Choose a member"
            required
            searchable
            nothingFoundMessage="No matching members"
            data={others.map(({ user }) => ({ value: user.id, label: user.name || user.email }))}
            value={value.to}
            onChange={(to) => onChange({ ...value, to })}
          />
        )}
        <Radio value="clear" label="Leave them without a member" />
        <Radio value="keep" label="Keep them as they are" description="They show “Former member”." />
      </Stack>
    </Radio.Group>
  )
}

/** Renders nothing if the member has no records and tasks. */
export function ReassignChoice(props: ChoiceProps) {
  const { data, error } = useQuery(assignmentsQuery(useOrg(), props.member.id))
  if (error) return <Text role="alert">{messageOf(error)}</Text>
  if (!data) return <Text role="status">Counting records and tasks…</Text>
  const words = assignmentWords(data)
  if (words === undefined) return null
  return (
    <Stack gap="xs">
      <Text>Records and tasks of this member: {words}.</Text>
      <Choices {...props} />
    </Stack>
  )
}
