// Shows the differences of two definitions by step and field.
import { Box, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { objectsQuery } from '../../../shared/api/objects.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { stepWords } from '../canvas/step-words.ts'
import { labelOf } from '../forms/form-fields.ts'
import { namesOf, slugWords } from '../node-names.ts'
import { plainFacts, plainText } from '../run/plain-facts.ts'
import { type Difference, type FieldChange, isSame, type StepChange } from './difference.ts'
import classes from './editor.module.css'
import { parsePath } from './json-path.ts'

const SHOWN_MAX = 200

/** The readable name of a field: `Filter › And 1 › Value`. */
function nameOf(field: string): string {
  const words: string[] = []
  for (const segment of parsePath(field)) {
    if (typeof segment === 'number') words.push(`${words.pop() ?? ''} ${segment + 1}`.trim())
    else if (segment !== 'triggerConfig') words.push(labelOf(segment))
  }
  return words.join(' › ')
}

function textOf(value: unknown): string {
  const facts = typeof value === 'object' && value !== null ? plainFacts(value) : []
  const text = facts.map((fact) => `${fact.name}: ${fact.value}`).join(', ') || plainText(value) || 'Nothing'
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text
}

function Field({ field, before, after }: FieldChange) {
  return (
    <Box component="li" className="grid gap-2" mt={8}>
      <span className="muted tiny">{nameOf(field)}</span>
      {before !== undefined && (
        <del className={`${classes.before} breakable tiny`}>
          <span className="visually-hidden">was </span>
          {textOf(before)}
        </del>
      )}
      {after !== undefined && (
        <ins className={`${classes.after} breakable tiny`}>
          <span className="visually-hidden">is </span>
          {textOf(after)}
        </ins>
      )}
    </Box>
  )
}

function Fields({ fields }: { fields: readonly FieldChange[] }) {
  if (fields.length === 0) return null
  return (
    <ul>
      {fields.map((change) => (
        <Field key={change.field} {...change} />
      ))}
    </ul>
  )
}

const WORDS = { added: 'Added', removed: 'Removed', changed: 'Changed' } as const

function Step({ change: { kind, step, isMoved, fields } }: { change: StepChange }) {
  const { data: objects = [] } = useQuery(objectsQuery(useOrg()))
  const { icon: Icon, title, summary } = stepWords(step, namesOf(objects))
  const word = isMoved ? (fields.length > 0 ? 'Moved and changed' : 'Moved') : WORDS[kind]
  return (
    <li className={classes.changed} data-kind={kind}>
      <Group gap="2px 8px">
        <span className="tiny medium">{word}</span>
        <Icon size={14} aria-hidden />
        <strong>{title}</strong>
        <span className="muted tiny">{slugWords(step.key)}</span>
      </Group>
      {kind !== 'changed' && <div className="muted small">{summary}</div>}
      <Fields fields={fields} />
    </li>
  )
}

export function DifferenceView({ difference }: { difference: Difference }) {
  const { whole, steps } = difference
  if (isSame(difference)) return <p className="muted small">No difference.</p>
  return (
    <ul className="stack gap-8 wide">
      {whole.length > 0 && (
        <li className={classes.changed} data-kind="changed">
          <Group gap={8}>
            <span className="tiny medium">Changed</span>
            <strong>Trigger and settings</strong>
          </Group>
          <Fields fields={whole} />
        </li>
      )}
      {steps.map((change) => (
        <Step key={change.step.key} change={change} />
      ))}
    </ul>
  )
}
