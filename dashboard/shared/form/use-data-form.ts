// A form whose values the service saves: its values, its errors, and one request at a time.
// Its draft is kept until it is saved or discarded.
import { type FormErrors, type UseFormReturnType, useForm } from '@mantine/form'
import { type ChangeEvent, useState } from 'react'
import { fieldErrors } from '../api/errors.ts'
import { type DraftPlace, useDraftPlaces } from '../drafts/draft-places.ts'
import { useSubmit } from '../use-submit.ts'
import { changedFields } from './changed-fields.ts'

interface ValuesOptions<Values> {
  /** The initial values. */
  initial: Values | (() => Values)
  /**
   * The name of the draft. Unset: no draft is kept. It must not change while the form is mounted: `form.reset` keeps
   * the functions of the first render, and so writes to the first draft.
   */
  draft?: string | undefined
  /** Whether the values are not worth keeping, such as a note without text. */
  isBlank?: ((values: Values) => boolean) | undefined
  /** Fields that are never part of a draft. */
  secrets?: readonly (keyof Values)[]
  /** Removes fields that the form no longer has from a draft. */
  accept?: (fields: Partial<Values>) => Partial<Values>
  /** Errors by field, checked before the values are sent. */
  validate?: (values: Values) => Record<string, string>
}

/** A draft that the user has neither restored nor discarded. */
export interface Offer {
  onRestore(): void
  onDiscard(): void
}

const NO_PLACE: DraftPlace = { read: () => undefined, write: () => undefined }

function keptFields<Values extends object>(
  { isBlank = () => false, secrets = [] }: ValuesOptions<Values>,
  { getInitialValues, getValues }: UseFormReturnType<Values>,
): Partial<Values> {
  if (isBlank(getValues())) return {}
  const fields = Object.entries(changedFields(getInitialValues(), getValues()))
  return Object.fromEntries(
    fields.filter(([name]) => !secrets.includes(name as keyof Values)),
  ) as Partial<Values>
}

/** The draft that was stored before the form was opened. */
function useOffered<Values extends object>(
  place: DraftPlace,
  { accept = (fields) => fields }: ValuesOptions<Values>,
) {
  return useState(() => {
    const fields = accept((place.read() ?? {}) as Partial<Values>)
    return Object.keys(fields).length > 0 ? fields : undefined
  })
}

/** The errors of other fields. An error at a part, such as `headers[0].name`, belongs to its field. */
function errorsOutside(errors: FormErrors, names: readonly string[]): FormErrors {
  const isOf = (path: string) =>
    names.some((name) => path === name || path.startsWith(`${name}[`) || path.startsWith(`${name}.`))
  return Object.fromEntries(Object.entries(errors).filter(([path]) => !isOf(path)))
}

/** Makes `next` the initial values after saving. Input after `sent` stays. */
function settle<Values extends object>(form: UseFormReturnType<Values>, next: Values, sent: Values): void {
  const since = changedFields(sent, form.getValues())
  form.setInitialValues(next)
  // reset writes the draft with the place of the first render. setValues then writes it again, even without changes.
  form.reset()
  form.setValues(since)
}

function useFormValues<Values extends object>(options: ValuesOptions<Values>) {
  const places = useDraftPlaces()
  const place = options.draft === undefined ? NO_PLACE : places(options.draft)
  const [offered, setOffered] = useOffered(place, options)
  const [restores, setRestores] = useState(0)
  const [initialValues] = useState(options.initial)
  const form = useForm<Values>({
    initialValues,
    validate: options.validate ?? (() => ({})),
    // An error of a field stays until that field changes. Changes of other fields do not clear it.
    clearInputErrorOnChange: false,
    onValuesChange: (now, before) => {
      const changed = Object.keys(changedFields(before, now))
      form.setErrors((errors) => errorsOutside(errors, changed))
      place.write({ ...offered, ...keptFields(options, form) })
    },
  })
  const answer = (others: Partial<Values>) => {
    setOffered(undefined)
    form.setValues({ ...others, ...changedFields(form.getInitialValues(), form.getValues()) })
    place.write(keptFields(options, form))
  }
  const restore = () => {
    answer(offered ?? {})
    setRestores(restores + 1)
  }
  return {
    form,
    fieldsKey: `restored ${restores}`,
    offer: offered && { onRestore: restore, onDiscard: () => answer({}) },
    settle: (next: Values, sent = form.getValues()) => settle(form, next, sent),
  }
}

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

interface FieldProps<Value, Input = Value> {
  value: Value
  onChange: ChangeHandler<Input>
  error: string | undefined
}

type BooleanKey<Values> = {
  [Name in keyof Values & string]: Values[Name] extends boolean ? Name : never
}[keyof Values & string]

export interface DataForm<Values> extends Endings<Values> {
  values: Values
  isChanged: boolean
  change(part: Partial<Values>): void
  /** Props of a text field or a picker. @param read makes a value of what the user entered; by default it is one */
  field<Name extends keyof Values & string>(name: Name): FieldProps<Values[Name]>
  field<Name extends keyof Values & string, Input>(
    name: Name,
    read: (input: Input) => Values[Name],
  ): FieldProps<Values[Name], Input>
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

const inputOf = <Input>(input: Input | ChangeEvent<HTMLInputElement | HTMLTextAreaElement>): Input =>
  typeof input === 'object' && input !== null && 'currentTarget' in input
    ? (input.currentTarget.value as Input)
    : input

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
  const field = <Name extends keyof Values & string, Input = Values[Name]>(
    name: Name,
    read?: (input: Input) => Values[Name],
  ): FieldProps<Values[Name], Input> => ({
    value: values[name],
    onChange: read ? (input) => onChange(name)(read(inputOf(input))) : onChange(name),
    error: errors[name],
  })
  return {
    ...{ values, errors, error, isBusy, clearError, ...draft, ...endings },
    isChanged: Object.keys(changedFields(before, values)).length > 0,
    change: form.setValues,
    field,
    checkbox: (name) => ({ checked: values[name] === true, onChange: onChange(name), error: errors[name] }),
    submit: async () => {
      clearError()
      return !form.validate().hasErrors && submit(undefined)
    },
    keepsDraft: options.draft !== undefined,
  }
}
