// A field for numbers in the format of the browser's language. An ambiguous number is shown in full below the field.
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { lazy } from '../../ui/lazy.ts'
import { currencyOf } from './currency-signs.ts'
import type { EditorProps } from './editor-props.ts'
import { localeOf, type NumberReading, readNumber } from './read-number.ts'

const LOCALE = localeOf()
const ungrouped = lazy(
  () => new Intl.NumberFormat(undefined, { useGrouping: false, maximumFractionDigits: 30 }),
)
const PLAIN = /^-?\d+(\.\d+)?$/

/** A number of the API in the typed format. Any other text stays unchanged. */
function typedForm(value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value)
  return PLAIN.test(text) ? ungrouped().format(text as unknown as number) : text
}

/** With unambiguous separators, which no language uses as a decimal sign: `12 500.5`. */
function spelledOut(value: string): string {
  const [whole = '', fraction] = value.split('.')
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, '\u202f')
  return fraction === undefined ? groups : `${groups}.${fraction}`
}

const savedAs = ({ value, currency }: NumberReading) =>
  `Saved as ${spelledOut(value)}${currency ? ` ${currency}` : ''}`

export const readTypedNumber = (text: string): NumberReading | undefined => readNumber(text, LOCALE)

/** `1500.5 EUR`, or only the number if there is no currency. A text that is not an amount stays unchanged. */
export function readTypedMoney(text: string): string {
  const reading = readNumber(text, LOCALE, currencyOf(undefined))
  return reading ? [reading.value, reading.currency].filter(Boolean).join(' ') : text
}

/** Reads several typed numbers. A text that is not a number stays unchanged. */
export const numbersOf = (texts: readonly string[]): string[] =>
  texts.map((text) => readTypedNumber(text)?.value ?? text)

interface TypedNumberProps extends EditorProps {
  /** The currency of the field. The user may type its sign next to the number. */
  currency?: string
  onRead(value: string, reading: NumberReading | undefined): void
}

export function TypedNumber({ value, currency, onRead, onChange, ...field }: TypedNumberProps) {
  const [typed, setTyped] = useState<{ text: string; value: unknown }>()
  const text = typed && typed.value === value ? typed.text : typedForm(value)
  const read = (input: string) =>
    readNumber(input, LOCALE, currency === undefined ? undefined : currencyOf(undefined, currency))
  const change = (input: string) => {
    const reading = read(input)
    const next = reading?.value ?? input.trim()
    setTyped({ text: input, value: next === '' ? null : next })
    if (next === '') onChange(null)
    else onRead(next, reading)
  }
  const reading = typed?.value === value ? read(text) : undefined
  return (
    <TextInput
      {...field}
      data-autofocus={field.autoFocus || undefined}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      description={reading?.isUnclear ? <span role="status">{savedAs(reading)}</span> : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}

export const NumberEditor = (props: EditorProps) => <TypedNumber {...props} onRead={props.onChange} />
