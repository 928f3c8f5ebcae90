// The changes of an activity, in its panel. Changes of the last day can be undone.
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { useId, useState } from 'react'
import type { ActivityField } from '../../../../contract/activity-history.ts'
import { changeAuthor } from '../../../shared/api/change-author.ts'
import { MoreButton } from '../../../shared/more-button.tsx'
import { ErrorState } from '../../../shared/state.tsx'
import { isUndoable } from '../../../shared/undo/undo-time.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { later } from '../../../ui/later.tsx'
import { type ActivityHistoryEntry, activityHistoryQuery } from '../api.ts'
import classes from '../details.module.css'
import { When } from '../when.tsx'
import { FieldChange } from './field-change.tsx'

const RestoreActivity = later(async () => (await import('./restore-activity.tsx')).RestoreActivity)

/** "created it", "changed it", "restored it from the trash", "restored earlier values". */
function didWhat({ type, version, restores }: ActivityHistoryEntry): string {
  if (type === 'activity.created') return version > 1 ? 'restored it from the trash' : 'created it'
  return restores ? 'restored earlier values' : 'changed it'
}

function Changes({ changes }: Pick<ActivityHistoryEntry, 'changes'>) {
  const fields = Object.entries(changes ?? {}) as [ActivityField, { from: unknown; to: unknown }][]
  if (fields.length === 0) return null
  return (
    <ul className={classes.changes}>
      {fields.map(([field, change]) => (
        <li key={field}>
          <FieldChange field={field} {...change} />
        </li>
      ))}
    </ul>
  )
}

interface EntryProps {
  id: string
  entry: ActivityHistoryEntry
  onRestored(): void
}

function Entry({ id, entry, onRestored }: EntryProps) {
  const [isAsking, setAsking] = useState(false)
  const { version, changes, at } = entry
  return (
    <li className="stack start gap-4">
      <span>
        <span className="medium">{changeAuthor(entry)}</span> {didWhat(entry)}{' '}
        <span className="muted">
          <When timestamp={at} />
        </span>
      </span>
      <Changes changes={changes} />
      {changes && isUndoable(entry.at) && (
        <Button variant="default" size="compact-xs" onClick={() => setAsking(true)}>
          Restore earlier values
        </Button>
      )}
      {isAsking && (
        <RestoreActivity id={id} version={version} onRestored={onRestored} onClose={() => setAsking(false)} />
      )}
    </li>
  )
}

function Entries({ id, onRestored }: Omit<EntryProps, 'entry'>) {
  const list = useInfiniteQuery(activityHistoryQuery(useOrg(), id))
  if (list.error) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <>
      <ul className="stack gap-12 small" aria-label="Changes">
        {entries.map((entry) => (
          <Entry key={entry.id} {...{ id, entry, onRestored }} />
        ))}
      </ul>
      <MoreButton list={list} />
    </>
  )
}

export function ActivityHistory(props: Omit<EntryProps, 'entry'>) {
  const [isOpen, setOpen] = useState(false)
  const details = useId()
  return (
    <section className="stack start gap-12" aria-label="History">
      <Button
        variant="default"
        leftSection={<History size={14} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={isOpen ? details : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        History
      </Button>
      {isOpen && (
        <div className="stack gap-12" id={details}>
          <Entries {...props} />
        </div>
      )}
    </section>
  )
}
