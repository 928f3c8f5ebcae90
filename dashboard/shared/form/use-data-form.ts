// A form whose values the service saves: what it holds, what refused it, and one request at a time.
import type { ChangeEvent } from 'react'
import { fieldErrors } from '../api/errors.ts'
import { useSubmit } from '../use-submit.ts'
import { changedFields } from './changed-fields.ts'
import { type Offer, useFormValues, type ValuesOptions } from './use-form-values.ts'

/** What a form began with, and what becomes of it when it is saved or given up. */
interface Endings<Values> {
  /** What the form began with, or what was saved last. */
  before: Values
  /** The form begins with `next`. What was entered after `sent` stays. */
  settle(next: Values, sent?: Values): void
  /** Deletes the draft. The form shows what was entered until it is closed. */
  forget(): void
  /** The form begins again. */
  reset(): void
  /** Deletes the draft, and closes what the form is in. */
  close(): void
}

/** Of a field: it takes the value, or the event that has it. */
type ChangeHandler<Value> = (value: Value | ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void

type BooleanKey<Values> = {
  [Name in keyof Values & string]: Values[Name] extends boolean ? Name : never
}[keyof Values & string]

export interface DataForm<Values> extends Endings<Values> {
  values: Values
  isChanged: boolean
  change(part: Partial<Values>): void
  /** For a field of text, or of one or several choices. */
  field<Name extends keyof Values & string>(
    name: Name,
  ): { value: Values[Name]; onChange: ChangeHandler<Values[Name]>; error: string | undefined }
  checkbox(name: BooleanKey<Values>): {
    checked: boolean
    onChange: ChangeHandler<boolean>
    error: string | undefined
  }
  /** By field, or by what `problemsOf` calls it. */
  errors: Record<string, string>
  /** What refused the last attempt. */
  error: unknown
  isBusy: boolean
  /** @returns whether it was saved */
  submit(): Promise<boolean>
  /** Removes what refused the last attempt. */
  clearError(): void
  offer: Offer | undefined
  keepsDraft: boolean
  /** The key of fields that hold state. It changes when the draft is restored, so that they begin again. */
  fieldsKey: string
}

interface DataFormOptions<Values> extends ValuesOptions<Values> {
  /** A refusal's problems by field; by default by their paths in the request. */
  problemsOf?: (error: unknown, values: Values) => Record<string, string>
  save(values: Values, form: Endings<Values>): Promise<unknown>
  onClose?: (() => void) | undefined
}

export function useDataForm<Values extends object>(options: DataFormOptions<Values>): DataForm<Values> {
  const { problemsOf = (refusal) => fieldErrors(refusal), save, onClose } = options
  const { form, settle, ...draft } = useFormValues(options)
  const { values, getValues } = form
  const before = form.getInitialValues()
  const forget = () => settle(getValues())
  const close = () => {
    forget()
    onClose?.()
  }
  const endings = { before, settle, forget, reset: () => settle(form.getInitialValues()), close }
  const { submit, isBusy, error, clearError } = useSubmit(() => save(getValues(), endings))
  const errors = { ...problemsOf(error, values), ...(form.errors as Record<string, string>) }
  const onChange = (name: string) => form.getInputProps(name).onChange as ChangeHandler<unknown>
  return {
    ...{ values, errors, error, isBusy, clearError, ...draft, ...endings },
    isChanged: Object.keys(changedFields(before, values)).length > 0,
    change: form.setValues,
    field: (name) => ({ value: values[name], onChange: onChange(name), error: errors[name] }),
    checkbox: (name) => ({ checked: values[name] === true, onChange: onChange(name), error: errors[name] }),
    submit: async () => {
      clearError()
      return !form.validate().hasErrors && submit(undefined)
    },
    keepsDraft: options.draft !== undefined,
  }
}
