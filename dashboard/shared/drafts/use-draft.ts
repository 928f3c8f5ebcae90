// The state of a form that keeps what is entered until it is saved or discarded, and offers it when it is opened again.
import { useRef, useState } from 'react'
import { changedFields } from '../form/changed-fields.ts'
import { type DraftPlace, useDraftPlaces } from './draft-places.ts'

interface DraftOptions<Value> {
  /** Whether there is nothing in it worth keeping, such as a note without any text. */
  isBlank?: (value: Value) => boolean
  /** Fields that are never kept. */
  secrets?: readonly (keyof Value)[]
  /** Removes what the form no longer has from a kept draft. */
  accept?: (fields: Partial<Value>) => Partial<Value>
}

export interface Offer {
  onRestore(): void
  onDiscard(): void
}

export interface FormDraft<Value> {
  value: Value
  /** What the form began with, or what was saved last. */
  initial: Value
  isChanged: boolean
  change(part: Partial<Value>): void
  /** It is saved, and the form begins with `next`. What was entered after `sent` stays. */
  settle(next: Value, sent?: Value): void
  /** It is saved or given up: nothing is kept, and the form shows what was entered until it is closed. */
  forget(): void
  /** It is saved or given up: the form begins again. */
  reset(): void
  /** Of a draft that is neither restored nor discarded. */
  offer: Offer | undefined
  /** A key for fields with state of their own: another one after the draft is restored. */
  round: number
}

function kept<Value extends object>(
  { isBlank = () => false, secrets = [] }: DraftOptions<Value>,
  before: Value,
  now: Value,
): Partial<Value> {
  if (isBlank(now)) return {}
  const fields = Object.entries(changedFields(before, now))
  return Object.fromEntries(
    fields.filter(([name]) => !secrets.includes(name as keyof Value)),
  ) as Partial<Value>
}

/** What was kept before the form was opened. */
function useOffered<Value extends object>(
  place: DraftPlace,
  { accept = (fields) => fields }: DraftOptions<Value>,
) {
  return useState(() => {
    const fields = accept((place.read() ?? {}) as Partial<Value>)
    return Object.keys(fields).length > 0 ? fields : undefined
  })
}

/**
 * Give it to the form's `DraftForm`.
 * @param name what the form is for: another name has another draft
 * @param begin what the form begins with
 */
export function useDraft<Value extends object>(
  name: string,
  begin: Value | (() => Value),
  options: DraftOptions<Value> = {},
): FormDraft<Value> {
  const place = useDraftPlaces()(name)
  const [initial, setInitial] = useState(begin)
  const [value, setValue] = useState(initial)
  const [offered, setOffered] = useOffered(place, options)
  const [round, setRound] = useState(0)
  // Two fields may change before the next drawing: one is left and takes what was typed, the other is clicked.
  const latest = useRef(initial)
  const show = (next: Value, before: Value, others: Partial<Value> | undefined) => {
    latest.current = next
    setValue(next)
    place.write({ ...others, ...kept(options, before, next) })
  }
  const settle = (next: Value, sent = latest.current) => {
    setInitial(next)
    show({ ...next, ...changedFields(sent, latest.current) }, next, offered)
  }
  const answer = (others: Partial<Value>) => {
    setOffered(undefined)
    show({ ...latest.current, ...others, ...changedFields(initial, latest.current) }, initial, undefined)
  }
  const restore = () => {
    answer(offered ?? {})
    setRound(round + 1)
  }
  return {
    ...{ value, initial, round, settle },
    isChanged: Object.keys(changedFields(initial, value)).length > 0,
    change: (part) => show({ ...latest.current, ...part }, initial, offered),
    forget: () => settle(latest.current),
    reset: () => settle(initial),
    offer: offered && { onRestore: restore, onDiscard: () => answer({}) },
  }
}
