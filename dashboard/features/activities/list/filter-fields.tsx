// The filters of the activities page, as a form in a popover.
import { Button, Group, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { membersQuery } from '../../../shared/api/members.ts'
import { objectsQuery } from '../../../shared/api/objects.ts'
import { useOrganization } from '../../../shared/use-organization.ts'
import { Select } from '../../../ui/select.tsx'
import { ACTIVITY_CHOICES } from '../activity-icons.ts'
import { type ActivitySearch, filterKeys } from '../activity-search.ts'

interface FilterFieldsProps {
  search: ActivitySearch
  onChange(change: Partial<ActivitySearch>): void
}

const TASKS = [
  { value: 'open', label: 'Open tasks' },
  { value: 'done', label: 'Done tasks' },
]

/** The members to choose from, the signed-in user first. */
export function usePeople(): { value: string; label: string }[] {
  const { organization, user } = useOrganization()
  const { data: members = [] } = useQuery(membersQuery(organization.slug))
  const others = members.filter((member) => member.user.id !== user.id)
  return [
    { value: 'me', label: 'Me' },
    ...others.map((member) => ({ value: member.user.id, label: member.user.name || member.user.email })),
  ]
}

export function useObjectChoices(): { value: string; label: string }[] {
  const { organization } = useOrganization()
  const { data: objects = [] } = useQuery(objectsQuery(organization.slug))
  return objects.map(({ slug, pluralName }) => ({ value: slug, label: pluralName }))
}

function Days({ search, onChange }: FilterFieldsProps) {
  return (
    <SimpleGrid cols={2} spacing="xs">
      <TextInput
        label="From"
        type="date"
        value={search.from ?? ''}
        max={search.to}
        onChange={({ currentTarget }) => onChange({ from: currentTarget.value || undefined })}
      />
      <TextInput
        label="To"
        type="date"
        value={search.to ?? ''}
        min={search.from}
        onChange={({ currentTarget }) => onChange({ to: currentTarget.value || undefined })}
      />
    </SimpleGrid>
  )
}

/** Each choice is applied immediately. */
export function FilterFields({ search, onChange }: FilterFieldsProps) {
  const people = usePeople()
  const objects = useObjectChoices()
  const clear = () => onChange(Object.fromEntries(filterKeys.map((key) => [key, undefined])))
  const field = { clearable: true, placeholder: 'Any' }
  return (
    <Stack gap="xs">
      <Select
        {...field}
        label="Type"
        data={ACTIVITY_CHOICES}
        value={search.type ?? null}
        onChange={(type) => onChange({ type: (type ?? undefined) as ActivitySearch['type'] })}
        data-autofocus
      />
      <Select
        {...field}
        label="Tasks"
        data={TASKS}
        value={search.tasks ?? null}
        onChange={(tasks) => onChange({ tasks: (tasks ?? undefined) as ActivitySearch['tasks'] })}
      />
      <Select
        {...field}
        label="Assigned to"
        data={people}
        searchable={people.length > 8}
        value={search.assignee ?? null}
        onChange={(assignee) => onChange({ assignee: assignee ?? undefined })}
      />
      <Select
        {...field}
        label="Written by"
        data={people}
        searchable={people.length > 8}
        value={search.by ?? null}
        onChange={(by) => onChange({ by: by ?? undefined })}
      />
      <Select
        {...field}
        label="Linked to"
        data={objects}
        value={search.object ?? null}
        onChange={(object) => onChange({ object: object ?? undefined })}
      />
      <Days search={search} onChange={onChange} />
      <Group justify="flex-end">
        <Button variant="default" onClick={clear}>
          Clear all
        </Button>
      </Group>
    </Stack>
  )
}
