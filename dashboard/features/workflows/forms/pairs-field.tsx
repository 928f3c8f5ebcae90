// Pairs of names and values, such as headers and variables.
import { TextInput } from '@mantine/core'
import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import { RowsFieldset } from '../../../ui/rows-fieldset.tsx'
import { anyAsText, readAny } from './any-value.ts'
import { type FieldProps, textOf, useProblem } from './field-props.ts'
import { freeName, renamedPair, withoutPair } from './pairs.ts'
import { SmallButton } from './small-button.tsx'
import { TemplateInput } from './template-input.tsx'
import { type Codec, useTyped } from './use-typed.ts'

type Pairs = Readonly<Record<string, unknown>>

const ANY: Codec = { read: readAny, print: anyAsText }
const TEXT: Codec = { read: (value) => ({ value }), print: textOf }

interface PairProps {
  name: string
  pairs: Pairs
  place: string
  /** Whether values can only be text. */
  isText: boolean
  number: number
  onChange(pairs: Pairs): void
}

/** A partly typed name may equal another name, so it is not applied then. */
function NameInput({ name, pairs, number, onChange }: Omit<PairProps, 'place' | 'isText'>) {
  const [draft, setDraft] = useState<string>()
  const shown = draft ?? name
  const isTaken = shown !== name && Object.hasOwn(pairs, shown)
  return (
    <TextInput
      aria-label={`Name ${number}`}
      placeholder="Name"
      value={shown}
      autoComplete="off"
      spellCheck={false}
      error={isTaken && 'This name is taken: choose another'}
      onChange={({ currentTarget: { value } }) => {
        const isFree = value === name || !Object.hasOwn(pairs, value)
        setDraft(isFree ? undefined : value)
        if (isFree) onChange(renamedPair(pairs, name, value))
      }}
    />
  )
}

function PairRow(props: PairProps) {
  const { name, pairs, place, isText, number, onChange } = props
  const typed = useTyped(pairs[name], isText ? TEXT : ANY, (value) => onChange({ ...pairs, [name]: value }))
  const error = useProblem(`${place}.${name}`)
  return (
    <li className="grid start gap-4" style={{ gridTemplateColumns: '2fr 3fr auto' }}>
      <NameInput {...props} />
      <TemplateInput
        aria-label={`Value ${number}`}
        placeholder="Value"
        value={typed.text}
        onChange={typed.type}
        error={typed.problem ?? error}
      />
      <SmallButton
        icon={X}
        label={`Remove ${name || number}`}
        mt={4}
        onClick={() => onChange(withoutPair(pairs, name))}
      />
    </li>
  )
}

/** Focuses an added row after it is rendered. */
function useAdd(add: () => void) {
  const list = useRef<HTMLUListElement>(null)
  return {
    list,
    add: () => {
      add()
      requestAnimationFrame(() =>
        list.current?.querySelector<HTMLInputElement>('li:last-child input')?.select(),
      )
    },
  }
}

export function PairsField({ field, value, onChange, place }: FieldProps) {
  const pairs = (typeof value === 'object' && value !== null ? value : {}) as Pairs
  const names = Object.keys(pairs)
  const isText = field.name === 'headers'
  const noun = isText ? 'header' : 'variable'
  const error = useProblem(place, true)
  const set = (changed: Pairs) =>
    onChange(Object.keys(changed).length === 0 && !field.isRequired ? undefined : changed)
  const { list, add } = useAdd(() => set({ ...pairs, [freeName(pairs, isText ? 'X-Name' : 'name')]: '' }))
  return (
    <RowsFieldset
      label={field.label}
      description={field.description}
      error={error}
      noun={noun}
      isFull={names.length >= (field.schema.maxProperties ?? Number.POSITIVE_INFINITY)}
      onAdd={add}
    >
      {names.length > 0 && (
        <ul className="stack gap-12" ref={list}>
          {names.map((name, index) => (
            <PairRow
              // biome-ignore lint/suspicious/noArrayIndexKey: its name changes while one types it
              key={index}
              {...{ name, pairs, place, isText }}
              number={index + 1}
              onChange={set}
            />
          ))}
        </ul>
      )}
    </RowsFieldset>
  )
}
