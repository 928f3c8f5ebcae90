// A form whose values the service saves: its values, its errors, and one request at a time.
import type { ChangeEvent } from 'react'
import { fieldErrors } from '../api/errors.ts'
import { useSubmit } from '../use-submit.ts'
import { changedFields } from './changed-fields.ts'
import { type Offer, useFormValues, type ValuesOptions } from './use-form-values.ts'

/** The initial values of a form, and functions to end it. */
interface Endings<Values> {
  /** The initial values, or the values that were saved last. */
  before: Values
  /** Makes `next` the initial values. Input after `sent` stays. */
  settle(next: Values, sent?: Values): void
  /** Deletes the draft. The form keeps showing the input until it is closed. */
  forget(): void
  /** Resets the form to its initial values. */
  reset(): void
  /** Deletes the draft, and closes the dialog or panel of the form. */
  close(): void
}

/** The handler of a field: takes a value, or an event with the value. */
type ChangeHandler<Value> = (value: Value | ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void

type BooleanKey<Values> = {
  [Name in keyof Values & string]: Values[Name] extends boolean ? Name : never
}[keyof Values & string]

export interface DataForm<Values> extends Endings<Values> {
  values: Values
  isChanged: boolean
  change(part: Partial<Values>): void
  /** Props of a text field or a picker. */
  field<Name extends keyof Values & string>(
    name: Name,
  ): { value: Values[Name]; onChange: ChangeHandler<Values[Name]>; error: string | undefined }
  checkbox(name: BooleanKey<Values>): {
    checked: boolean
    onChange: ChangeHandler<boolean>
    error: string | undefined
  }
  /** Errors by field, or by the names that `problemsOf` returns. */
  errors: Record<string, string>
  /** The error of the last attempt. */
  error: unknown
  isBusy: boolean
  /** @returns whether it was saved */
  submit(): Promise<boolean>
  /** Removes the error of the last attempt. */
  clearError(): void
  offer: Offer | undefined
  keepsDraft: boolean
  /**
   * The key of fields with internal state. It changes when the draft is restored, so that these fields are mounted
   * again.
   */
  fieldsKey: string
}

interface DataFormOptions<Values> extends ValuesOptions<Values> {
  /** Maps the problems of a refusal to fields. By default by their paths in the request. */
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
