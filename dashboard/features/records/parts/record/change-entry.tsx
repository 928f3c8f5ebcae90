// What was changed of a record: one line, "3 changes by …", that opens to what they were.
import { History } from 'lucide-react'
import { useId, useState } from 'react'
import type { Attribute } from '../../../../shared/api/objects.ts'
import { isEmpty } from '../../../../shared/values/format.ts'
import { ValueView } from '../../../../shared/values/value-view.tsx'
import activities from '../../../activities/activities.module.css'
import { formatClock } from '../../../activities/days.ts'
import type { HistoryEntry } from '../../api/history.ts'
import { countChanges } from './timeline.ts'

const whoOf = ({ actor, apiKey }: HistoryEntry): string => {
  const name = actor ? actor.name || actor.email : 'Rapport'
  return apiKey ? `${name} (key ${apiKey.name ?? 'deleted'})` : name
}

function Value({ attribute, value }: { attribute: Attribute; value: unknown }) {
  if (isEmpty(value)) return <span className="muted">nothing</span>
  return <ValueView attribute={attribute} value={value} />
}

interface ChangeProps {
  attribute: Attribute
  from: unknown
  to: unknown
  at: string
}

function Change({ attribute, from, to, at }: ChangeProps) {
  return (
    <li>
      <span className="muted">{attribute.name}</span>
      <Value attribute={attribute} value={from} />
      <span className="muted">to</span>
      <Value attribute={attribute} value={to} />
      <time className="muted" dateTime={at}>
        {formatClock(at)}
      </time>
    </li>
  )
}

function Changes({ entry, attributes }: { entry: HistoryEntry; attributes: readonly Attribute[] }) {
  if (!entry.changes)
    return (
      <li>
        <span className="muted">Created</span> {formatClock(entry.at)}
      </li>
    )
  return Object.entries(entry.changes).map(([slug, { from, to }]) => {
    const attribute = attributes.find((one) => one.slug === slug)
    return attribute && <Change key={slug} attribute={attribute} from={from} to={to} at={entry.at} />
  })
}

/** "Ada created this", "Ada changed Stage", "3 changes by Ada". */
function titleOf(entries: readonly HistoryEntry[], attributes: readonly Attribute[]): string {
  const [first] = entries
  if (!first) return ''
  const who = whoOf(first)
  const count = countChanges(entries)
  if (count > 1) return `${count} changes by ${who}`
  const [slug] = Object.keys(first.changes ?? {})
  const attribute = attributes.find((one) => one.slug === slug)
  return attribute ? `${who} changed ${attribute.name}` : `${who} created this record`
}

interface ChangeEntryProps {
  entries: readonly HistoryEntry[]
  attributes: readonly Attribute[]
}

export function ChangeEntry({ entries, attributes }: ChangeEntryProps) {
  const [isOpen, setOpen] = useState(false)
  const details = useId()
  const [first] = entries
  const isPlainCreation = entries.length === 1 && first?.changes === null
  const title = titleOf(entries, attributes)
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
          {first && <time dateTime={first.at}>{formatClock(first.at)}</time>}
        </span>
      </div>
      {isOpen && (
        <ul className={`${activities.details} ${activities.changes} small`} id={details}>
          {entries.map((entry) => (
            <Changes key={entry.id} entry={entry} attributes={attributes} />
          ))}
        </ul>
      )}
    </li>
  )
}
