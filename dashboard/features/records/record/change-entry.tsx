// Changes of a record: one line, such as "3 changes by …", which expands to the list of changes.
import { Button } from '@mantine/core'
import { History } from 'lucide-react'
import { Fragment, useId, useState } from 'react'
import { changeAuthor } from '../../../shared/api/change-author.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { isUndoable } from '../../../shared/undo/undo-time.ts'
import { isEmpty } from '../../../shared/values/format.ts'
import { ValueView } from '../../../shared/values/value-view.tsx'
import { later } from '../../../ui/later.tsx'
import { formatClock } from '../../activities/days.ts'
import opened from '../../activities/details.module.css'
import activities from '../../activities/entry.module.css'
import type { HistoryEntry } from '../api/history.ts'
import { plural } from '../table/counted.ts'
import { countChanges, isRestored, movesOf } from './timeline.ts'

const RestoreValues = later(async () => (await import('./restore-values.tsx')).RestoreValues)

interface ChangeProps {
  attribute: Attribute
  from: unknown
  to: unknown
  at: string
}

/** "Stage: Lead → Won", "Contact: set to Ida Müller", "Contact: Ida Müller removed". */
function Change({ attribute, from, to, at }: ChangeProps) {
  const [wasEmpty, isCleared] = [isEmpty(from), isEmpty(to)]
  return (
    <li>
      <span className="muted">{attribute.name}:</span>
      {wasEmpty ? <span className="muted">set to</span> : <ValueView attribute={attribute} value={from} />}
      {!wasEmpty && <span className="muted">{isCleared ? 'removed' : '→'}</span>}
      {!isCleared && <ValueView attribute={attribute} value={to} />}
      <time className="muted" dateTime={at}>
        {formatClock(at)}
      </time>
    </li>
  )
}

interface RestoreProps {
  object: string
  entry: HistoryEntry
  attributes: readonly Attribute[]
}

/** Offered for changes of the last day. */
function Restore({ object, entry, attributes }: RestoreProps) {
  const [isAsking, setAsking] = useState(false)
  if (!entry.changes || !isUndoable(entry.at)) return null
  return (
    <li>
      <Button variant="default" size="compact-xs" onClick={() => setAsking(true)}>
        Restore earlier values
      </Button>
      {isAsking && (
        <RestoreValues
          change={{ object, recordId: entry.recordId, version: entry.version }}
          attributes={attributes}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  )
}

function Changes({ entry, attributes }: { entry: HistoryEntry; attributes: readonly Attribute[] }) {
  if (!entry.changes)
    return (
      <li>
        <span className="muted">{isRestored(entry) ? 'Restored' : 'Created'}</span> {formatClock(entry.at)}
      </li>
    )
  return Object.entries(entry.changes).map(([slug, { from, to }]) => {
    const attribute = attributes.find((one) => one.slug === slug)
    return attribute && <Change key={slug} attribute={attribute} from={from} to={to} at={entry.at} />
  })
}

/** "Ada created this", "Ada changed Stage", "3 changes by Ada". */
function titleOf(entries: readonly HistoryEntry[], attributes: readonly Attribute[], isOwn: boolean): string {
  const [first] = entries
  if (!first) return ''
  const who = changeAuthor(first)
  const count = countChanges(entries)
  const moves = movesOf(entries, attributes)
  if (count > 1) return `${moves && `${moves} · `}${plural(count, 'change')} by ${who}`
  const [slug] = Object.keys(first.changes ?? {})
  const attribute = attributes.find((one) => one.slug === slug)
  if (attribute) return `${who} ${first.restores ? 'restored' : 'changed'} ${moves || attribute.name}`
  const merged = first.mergedIds?.length ?? 0
  if (merged > 0) return `${who} merged ${merged === 1 ? 'a record' : plural(merged, 'record')} into this one`
  return `${who} ${isRestored(first) ? 'restored' : 'created'} ${isOwn ? 'this record' : 'it'}`
}

interface ChangeEntryProps {
  /** The object's slug; undefined if nothing can be changed. */
  object: string | undefined
  recordId: string
  entries: readonly HistoryEntry[]
  attributes: readonly Attribute[]
}

export function ChangeEntry({ object, recordId, entries, attributes }: ChangeEntryProps) {
  const [isOpen, setOpen] = useState(false)
  const details = useId()
  const [first] = entries
  const isPlainCreation = entries.length === 1 && first?.changes === null
  const isOwn = first?.recordId === recordId
  const title = `${isOwn ? '' : 'Merged record: '}${titleOf(entries, attributes, isOwn)}`
  return (
    <li className={activities.entry} data-open={isOpen || undefined}>
      <div className={activities.line} data-plain={isPlainCreation || undefined}>
        <span className={activities.mark}>
          <History size={14} aria-hidden />
        </span>
        {isPlainCreation ? (
          <span className="truncate fill small muted">{title}</span>
        ) : (
          <button
            type="button"
            className={activities.toggle}
            data-quiet
            aria-expanded={isOpen}
            aria-controls={isOpen ? details : undefined}
            onClick={() => setOpen(!isOpen)}
          >
            {title}
          </button>
        )}
        <span className={activities.aside}>
          {first && (
            <time className={activities.time} dateTime={first.at}>
              {formatClock(first.at)}
            </time>
          )}
        </span>
      </div>
      {isOpen && (
        <ul className={`${opened.details} ${opened.changes} small`} id={details}>
          {entries.map((entry) => (
            <Fragment key={entry.id}>
              <Changes entry={entry} attributes={attributes} />
              {object !== undefined && isOwn && (
                <Restore object={object} entry={entry} attributes={attributes} />
              )}
            </Fragment>
          ))}
        </ul>
      )}
    </li>
  )
}
