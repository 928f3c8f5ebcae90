// The icon, title and one-line summary of a type of step.
import type { LucideIcon } from 'lucide-react'
import { listFormat } from '../../../../contract/language.ts'
import { valueWords } from '../canvas/value-words.ts'
import { type NameOf, slugWords } from '../node-names.ts'

export type Config = Readonly<Record<string, unknown>>

/** The part of a step type that all pages with workflows need. Only the editor loads the rest, its contract. */
export interface StepView {
  icon: LucideIcon
  title: string
  /** `Find up to 50 people where company is the record’s company` */
  summary(config: Config, nameOf: NameOf): string
  /** Set if the step ends the run, so that no step follows. */
  endsRun?: true
}

/** Whether the value is empty. */
export const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const and = listFormat({ type: 'conjunction' })
const NAMED_MAX = 3

const keysOf = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value) : [])

/** `name, amount and stage`; with more: `name, amount and 4 more` */
export function namedKeys(value: unknown): string {
  const keys = keysOf(value).map(slugWords)
  if (keys.length <= NAMED_MAX) return and.format(keys)
  return and.format([...keys.slice(0, NAMED_MAX - 1), `${keys.length - NAMED_MAX + 1} more`])
}

export const singular = (config: Config, nameOf: NameOf) =>
  nameOf(String(config.object ?? ''))?.singular ?? 'record'
export const plural = (config: Config, nameOf: NameOf) =>
  nameOf(String(config.object ?? ''))?.plural ?? 'records'

/** `the deal`, or with its source: `the company: the record’s company` */
export function theRecord(config: Config, nameOf: NameOf): string {
  const noun = singular(config, nameOf)
  const id = String(config.recordId ?? '')
  if (id === '') return `the ${noun}`
  const words = valueWords(id)
  return words === 'the record' || words === 'a certain record'
    ? words.replace('record', noun)
    : `the ${noun}: ${words}`
}

export const withValues = (what: string, data: unknown) =>
  keysOf(data).length > 0 ? `${what} with ${namedKeys(data)}` : what

export const quoted = (value: unknown) => `“${valueWords(value)}”`
export const named = (value: unknown) =>
  valueWords(value).slice(0, 1).toUpperCase() + valueWords(value).slice(1)
