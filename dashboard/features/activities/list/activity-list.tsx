// The activities that match the filters: overdue and upcoming first, then day by day.

import { Button, Skeleton, Stack } from '@mantine/core'
import { CalendarDays, SearchX } from 'lucide-react'
import { MoreButton } from '../../../shared/more-button.tsx'
import { EmptyState, ErrorState } from '../../../shared/state.tsx'
import { localDay } from '../../../shared/values/local-input.ts'
import { useTicking } from '../../../ui/use-ticking.ts'
import type { EntryActions } from '../activity-facts.tsx'
import { Ahead, Entries, Section } from '../activity-sections.tsx'
import type { ActivityFilters } from '../api.ts'
import { groupByDay, happenedAt } from '../arrange.ts'
import { dayTitle } from '../days.ts'
import { useActivityList } from '../use-activity-list.ts'

interface ActivityListProps {
  filters: ActivityFilters
  actions: EntryActions
  onCreate(): void
  onClear(): void
}

function Nothing({ filters, onCreate, onClear }: Omit<ActivityListProps, 'actions'>) {
  if (Object.keys(filters).length > 0)
    return (
      <EmptyState
        icon={SearchX}
        title="No matching activities"
        action={
          <Button variant="default" onClick={onClear}>
            Clear all filters
          </Button>
        }
      >
        Remove a filter, or search for something else.
      </EmptyState>
    )
  return (
    <EmptyState
      icon={CalendarDays}
      title="No activities yet"
      action={<Button onClick={onCreate}>Create activity</Button>}
    >
      Notes, calls, meetings, tasks and emails with the people and companies you work with appear here and on
      the pages of the linked records.
    </EmptyState>
  )
}

function Loading() {
  return (
    <Stack gap="sm" mt="md" aria-busy="true" aria-label="Loading activities">
      <Skeleton height={14} width={80} />
      <Skeleton height={28} />
      <Skeleton height={28} />
      <Skeleton height={28} />
    </Stack>
  )
}

export function ActivityList(props: ActivityListProps) {
  const { filters, actions } = props
  const { list, arranged } = useActivityList(filters)
  const { overdue, upcoming, past } = arranged
  const today = useTicking(localDay)
  if (list.isPending) return <Loading />
  if (list.error && !list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (overdue.length + upcoming.length + past.length === 0) return <Nothing {...props} />
  return (
    <>
      <Ahead overdue={overdue} upcoming={upcoming} actions={actions} />
      {groupByDay(past, happenedAt).map(({ day, items }) => (
        <Section key={day} title={dayTitle(day, today)}>
          <Entries activities={items} actions={actions} />
        </Section>
      ))}
      <MoreButton list={list} label="Load older" mt="md" />
    </>
  )
}
