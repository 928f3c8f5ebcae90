// What every field of a form takes.
import type { ReactNode } from 'react'
import { useFormPlace } from './form-context.ts'
import type { FormField } from './form-fields.ts'
import { ownProblem, problemAt } from './form-problems.ts'

export interface FieldProps {
  field: FormField
  value: unknown
  /** undefined: the field is left out. */
  onChange(value: unknown): void
  /** Where the field is in the definition. */
  place: string
  /** The object that the fields next to it are about, by id or slug; '' for none. */
  object: string
}

export interface InputProps {
  label: ReactNode
  description: string | undefined
  required: boolean
  error: string | undefined
}

/** What is wrong at a place, parts of it included where they do not say so themselves. */
export function useProblem(place: string, hasParts = false): string | undefined {
  const { problems } = useFormPlace().context
  return hasParts ? ownProblem(problems, place) : problemAt(problems, place)
}

export const useInput = ({ field, place }: FieldProps): InputProps => ({
  label: field.label,
  description: field.description,
  required: field.isRequired,
  error: useProblem(place),
})

/** An optional field without text is left out. */
export const textOrNone = (text: string, { isRequired }: FormField): string | undefined =>
  text === '' && !isRequired ? undefined : text

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : String(value)

export type Values = Readonly<Record<string, unknown>>

export interface FieldListProps {
  fields: readonly FormField[]
  values: Values
  /** Where the object is in the definition. */
  place: string
  onChange(values: Values): void
  /** Of the object around it, where it names none itself. */
  object?: string
}
