// The values of a conflict: before the change, that of the change, and the current one, which stays.
import type { ReactNode } from 'react'
import { counted } from '../../../../contract/counted.ts'
import { withNames } from '../../../../contract/mentions.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { beginningOf } from '../../../shared/beginning.ts'
import { UndoneValue } from '../../../shared/undo/undo-conflict.tsx'
import { formatStamp } from '../../../ui/time.tsx'
import type { UndoJobConflict } from '../api/undo-jobs.ts'

const STEPS = [
  ['Before', 'from'],
  ['Changed to', 'to'],
  ['Now', 'current'],
] as const

/** @returns undefined if the value cannot be shown */
type Shown = (value: unknown, name: string) => ReactNode

function Steps({ conflict, shown }: { conflict: UndoJobConflict; shown: Shown }) {
  // Without both, the change is unknown: null then does not mean that there was no value.
  if ((conflict.from ?? conflict.to ?? null) === null) return null
  const steps = STEPS.map(([name, key]) => {
    const value = conflict[key]
    // undefined: the API omits it for this user.
    return { key, step: value === undefined ? undefined : shown(value, name) }
  })
  return (
    <div className="stack gap-4">
      {steps.map(({ key, step }) => step !== undefined && <div key={key}>{step}</div>)}
    </div>
  )
}

interface RecordValuesProps {
  attribute: Attribute | undefined
  conflict: UndoJobConflict
}

export function RecordValues({ attribute, conflict }: RecordValuesProps) {
  if (!attribute) return null
  const shown: Shown = (value, name) => <UndoneValue name={name} attribute={attribute} value={value} />
  return <Steps conflict={conflict} shown={shown} />
}

const TIMES: readonly string[] = ['activityDate', 'completedAt']

/** A field of an activity or the text of a comment. undefined: it cannot be shown as a text. */
function textOf(field: string, value: unknown): string | undefined {
  if (value === null || value === '') return 'nothing'
  if (Array.isArray(value))
    return counted(value.length, field === 'participants' ? 'participant' : 'linked record')
  if (typeof value !== 'string' || field === 'assignee') return undefined
  if (TIMES.includes(field)) return formatStamp(value, Date.now())
  return beginningOf(withNames(value, () => 'member'))
}

export function TextValues({ conflict }: { conflict: UndoJobConflict }) {
  const field = conflict.attributeSlug
  if (field === null) return null
  const shown: Shown = (value, name) => {
    const text = textOf(field, value)
    return text === undefined ? undefined : <Text name={name}>{text}</Text>
  }
  return <Steps conflict={conflict} shown={shown} />
}

const Text = ({ name, children }: { name: string; children: string }) => (
  <span className="small breakable">
    <span className="muted">{name}</span> {children}
  </span>
)
