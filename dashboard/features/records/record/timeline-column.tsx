// The middle column of the record page: the composer, and below it the timeline by day.
import { Button, Skeleton, Stack } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import type { CrmRecord } from '../../../shared/api/records.ts'
import { ErrorState } from '../../../shared/state.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { localDay } from '../../../shared/values/local-input.ts'
import { useTicking } from '../../../ui/use-ticking.ts'
import { ActivityEntry } from '../../activities/activity-entry.tsx'
import type { EntryActions } from '../../activities/activity-facts.tsx'
import { Ahead, Section } from '../../activities/activity-sections.tsx'
import { groupByDay } from '../../activities/arrange.ts'
import { entryKey } from '../../activities/born-as.ts'
import { ActivityComposer } from '../../activities/composer.tsx'
import { dayTitle } from '../../activities/days.ts'
import { useActivityList } from '../../activities/use-activity-list.ts'
import { CommentSection } from '../../comments/comment-section.tsx'
import { historyQuery } from '../api/history.ts'
import { ChangeEntry } from './change-entry.tsx'
import classes from './record.module.css'
import { type TimelineItem, timelineOf } from './timeline.ts'

interface TimelineProps {
  object: ObjectWithAttributes
  record: CrmRecord
  actions: EntryActions
}

/** Reloaded after every change of the record. */
function useHistory(object: string, { id, updatedAt }: CrmRecord) {
  const org = useOrg()
  const client = useQueryClient()
  const query = historyQuery(org, object, id)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version is the reason, not an input
  useEffect(() => {
    void client.invalidateQueries({ queryKey: [org, 'history', object, id] })
  }, [client, org, object, id, updatedAt])
  const history = useInfiniteQuery(query)
  const entries = useMemo(() => history.data?.pages.flatMap((page) => page.entries) ?? [], [history.data])
  return { history, entries }
}

function useTimeline({ object, record }: Omit<TimelineProps, 'actions'>) {
  const { list, loaded, arranged } = useActivityList({ recordId: record.id })
  const { history, entries } = useHistory(object.slug, record)
  const items = timelineOf(
    arranged.past,
    { items: loaded, hasMore: list.hasNextPage },
    { items: entries, hasMore: history.hasNextPage },
  )
  const loadOlder = () => {
    if (list.hasNextPage) void list.fetchNextPage()
    if (history.hasNextPage) void history.fetchNextPage()
  }
  return {
    arranged,
    days: groupByDay(items, ({ at }) => at),
    hasOlder: list.hasNextPage || history.hasNextPage,
    isLoadingOlder: list.isFetchingNextPage || history.isFetchingNextPage,
    loadOlder,
    isPending: list.isPending || history.isPending,
    error: (list.data ? null : list.error) ?? (history.data ? null : history.error),
    retry: () => void Promise.all([list.refetch(), history.refetch()]),
  }
}

function Item({ item, object, record, actions }: TimelineProps & { item: TimelineItem }) {
  if (item.kind === 'changes')
    return (
      <ChangeEntry
        object={object.isActive ? object.slug : undefined}
        recordId={record.id}
        entries={item.entries}
        attributes={object.attributes}
      />
    )
  return <ActivityEntry activity={item.activity} actions={actions} recordId={record.id} />
}

function Timeline(props: TimelineProps) {
  const timeline = useTimeline(props)
  const today = useTicking(localDay)
  if (timeline.error) return <ErrorState error={timeline.error} onRetry={timeline.retry} />
  if (timeline.isPending)
    return (
      <Stack gap="xs" mt="md" aria-busy="true" aria-label="Loading the timeline">
        <Skeleton height={14} width={80} />
        <Skeleton height={28} />
        <Skeleton height={28} />
      </Stack>
    )
  const { overdue, upcoming } = timeline.arranged
  return (
    <>
      <Ahead overdue={overdue} upcoming={upcoming} actions={props.actions} recordId={props.record.id} />
      {timeline.days.map(({ day, items }) => (
        <Section key={day} title={dayTitle(day, today)}>
          {items.map((item) => (
            <Item key={entryKey(item.id)} item={item} {...props} />
          ))}
        </Section>
      ))}
      {timeline.hasOlder && (
        <Button variant="default" mt="md" onClick={timeline.loadOlder} loading={timeline.isLoadingOlder}>
          Load older
        </Button>
      )}
    </>
  )
}

export function TimelineColumn(props: TimelineProps) {
  const { record } = props
  return (
    <section className={classes.column} data-column="timeline" aria-label="Timeline">
      <ActivityComposer linkedRecords={[{ objectId: record.objectId, recordId: record.id }]} />
      <CommentSection object={props.object.slug} record={record.id} isReadOnly={!props.object.isActive} />
      <Timeline {...props} />
    </section>
  )
}
