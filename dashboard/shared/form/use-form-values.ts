// The values of a form, and their draft, which is kept until they are saved or discarded.
import { type FormErrors, type UseFormReturnType, useForm } from '@mantine/form'
import { useState } from 'react'
import { type DraftPlace, useDraftPlaces } from '../drafts/draft-places.ts'
import { changedFields } from './changed-fields.ts'

export interface ValuesOptions<Values> {
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

export function useFormValues<Values extends object>(options: ValuesOptions<Values>) {
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
