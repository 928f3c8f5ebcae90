// The inbox of the signed-in member.

import { Button, Group, SegmentedControl, Skeleton } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BellRing, CheckCheck, Inbox } from 'lucide-react'
import { useState } from 'react'
import { KIND_NAMES, type NotificationKind } from '../../../contract/notification-kinds.ts'
import { MoreButton } from '../../shared/more-button.tsx'
import { EmptyState } from '../../shared/state.tsx'
import { useOrg } from '../../shared/use-organization.ts'
import { Waiting } from '../../shared/waiting.tsx'
import { Page } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { type InboxFilter, inboxQuery, unreadQuery } from './api.ts'
import { Entry, EntryActions } from './list/entry.tsx'
import { useInboxChanges } from './list/use-inbox-changes.ts'
import { KINDS } from './list/words.ts'
import { inboxPaths } from './paths.ts'

const STATES = [
  { value: 'open', label: 'All' },
  { value: 'unread', label: 'Unread' },
  { value: 'archived', label: 'Archived' },
]

const NONE: Readonly<Record<InboxFilter['state'], string>> = {
  open: 'Assignments, mentions and due tasks appear here.',
  unread: 'You have read everything.',
  archived: 'What you archive is kept here for 90 days.',
}

function Filters({ filter, onChange }: { filter: InboxFilter; onChange(filter: InboxFilter): void }) {
  return (
    <Group gap={8} mb={12}>
      <SegmentedControl
        aria-label="Which notifications"
        data={STATES}
        value={filter.state}
        onChange={(state) => onChange({ ...filter, state: state as InboxFilter['state'] })}
      />
      <Select
        aria-label="Kind"
        placeholder="All kinds"
        data={KIND_NAMES.map((kind) => ({ value: kind, label: KINDS[kind].name }))}
        value={filter.kind ?? null}
        onChange={(kind) => onChange({ ...filter, kind: (kind as NotificationKind | null) ?? undefined })}
        clearable
        w={180}
      />
    </Group>
  )
}

function Notifications({ filter }: { filter: InboxFilter }) {
  const list = useInfiniteQuery(inboxQuery(useOrg(), filter))
  if (!list.data)
    return (
      <Waiting query={list}>
        <Skeleton height={240} aria-label="Loading notifications" />
      </Waiting>
    )
  const shown = list.data.pages.flatMap((page) => page.notifications)
  if (shown.length === 0)
    return (
      <EmptyState icon={Inbox} title="No notifications">
        {NONE[filter.state]}
      </EmptyState>
    )
  return (
    <>
      <ul className="bordered rounded">
        {shown.map((one) => (
          <Entry key={one.id} notification={one}>
            <EntryActions notification={one} />
          </Entry>
        ))}
      </ul>
      <MoreButton list={list} label="Load older" mt="md" />
    </>
  )
}

export function InboxPage() {
  const org = useOrg()
  const [filter, setFilter] = useState<InboxFilter>({ state: 'open' })
  const { data: unread = 0 } = useQuery(unreadQuery(org))
  const { readAll } = useInboxChanges()
  return (
    <Page
      title="Inbox"
      actions={
        <>
          <Button
            variant="subtle"
            color="gray"
            component={Link}
            to={inboxPaths.settings(org)}
            leftSection={<BellRing size={14} aria-hidden />}
          >
            Settings
          </Button>
          <Button
            variant="default"
            disabled={unread === 0}
            onClick={readAll}
            leftSection={<CheckCheck size={14} aria-hidden />}
          >
            Mark all as read
          </Button>
        </>
      }
    >
      <Filters filter={filter} onChange={setFilter} />
      <Notifications filter={filter} />
    </Page>
  )
}
