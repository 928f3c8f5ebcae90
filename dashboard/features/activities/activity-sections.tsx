// Lists of activities under headings: overdue, upcoming, and each day.
import { Box } from '@mantine/core'
import type { ReactNode } from 'react'
import { ActivityEntry } from './activity-entry.tsx'
import type { EntryActions } from './activity-facts.tsx'
import type { Activity } from './api.ts'
import type { Arranged } from './arrange.ts'
import { entryKey } from './born-as.ts'

interface SectionProps {
  title: string
  tone?: 'danger'
  children: ReactNode
}

export function Section({ title, tone, children }: SectionProps) {
  return (
    <Box component="section" mt={16} aria-label={title}>
      <Box component="h2" className={`tiny medium ${tone ?? 'muted'}`} mb={4}>
        {title}
      </Box>
      <ul>{children}</ul>
    </Box>
  )
}

interface ListProps {
  activities: readonly Activity[]
  actions: EntryActions
  recordId?: string | undefined
  isDated?: boolean
}

export const Entries = ({ activities, ...entry }: ListProps) =>
  activities.map((activity) => <ActivityEntry key={entryKey(activity.id)} activity={activity} {...entry} />)

/** Overdue and upcoming activities, shown above past ones. */
export function Ahead({
  overdue,
  upcoming,
  ...entry
}: Omit<Arranged, 'past'> & Pick<ListProps, 'actions' | 'recordId'>) {
  return (
    <>
      {overdue.length > 0 && (
        <Section title={`Overdue · ${overdue.length}`} tone="danger">
          <Entries activities={overdue} {...entry} isDated />
        </Section>
      )}
      {upcoming.length > 0 && (
        <Section title={`Upcoming · ${upcoming.length}`}>
          <Entries activities={upcoming} {...entry} isDated />
        </Section>
      )}
    </>
  )
}
