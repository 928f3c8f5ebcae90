// The props of form fields.
import type { ReactNode } from 'react'
import { useFormPlace } from './form-context.ts'
import type { FormField } from './form-fields.ts'
import { ownProblem, problemAt } from './form-problems.ts'

export interface FieldProps {
  field: FormField
  value: unknown
  /** undefined removes the field. */
  onChange(value: unknown): void
  /** Path of the field in the definition. */
  place: string
  /** Id or slug of the object to which the fields of this group apply; '' for none. */
  object: string
}

export interface InputProps {
  label: ReactNode
  description: string | undefined
  required: boolean
  error: string | undefined
}

/** The problems at a path. @param hasParts whether fields of nested parts show their problems themselves */
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

/** Removes an optional field without text. */
export const textOrNone = (text: string, { isRequired }: FormField): string | undefined =>
  text === '' && !isRequired ? undefined : text

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : String(value)

export type Values = Readonly<Record<string, unknown>>

export interface FieldListProps {
  fields: readonly FormField[]
  values: Values
  /** Path of the values in the definition. */
  place: string
  onChange(values: Values): void
  /** Id or slug of the outer object, used if the values name none. */
  object?: string
}
