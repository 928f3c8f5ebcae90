// The values of a form, and the draft that is kept of them until they are saved or given up.
import { type FormErrors, type UseFormReturnType, useForm } from '@mantine/form'
import { useState } from 'react'
import { type DraftPlace, useDraftPlaces } from '../drafts/draft-places.ts'
import { changedFields } from './changed-fields.ts'

export interface ValuesOptions<Values> {
  /** What the form begins with. */
  initial: Values | (() => Values)
  /**
   * What a draft is kept for: another name has another draft. Unset: none is kept. It must not change while the form
   * is mounted: `form.reset` keeps the functions of the first drawing, and so writes to the draft of that one.
   */
  draft?: string | undefined
  /** Whether there is nothing in it worth keeping, such as a note without any text. */
  isBlank?: ((values: Values) => boolean) | undefined
  /** Fields that are never kept. */
  secrets?: readonly (keyof Values)[]
  /** Removes what the form no longer has from a kept draft. */
  accept?: (fields: Partial<Values>) => Partial<Values>
  /** What is wrong before it is sent, by field. */
  validate?: (values: Values) => Record<string, string>
}

/** Of a draft that is neither restored nor discarded. */
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

/** What was kept before the form was opened. */
function useOffered<Values extends object>(
  place: DraftPlace,
  { accept = (fields) => fields }: ValuesOptions<Values>,
) {
  return useState(() => {
    const fields = accept((place.read() ?? {}) as Partial<Values>)
    return Object.keys(fields).length > 0 ? fields : undefined
  })
}

/** The errors that are not of these fields, or of a part of one, such as `headers[0].name`. */
function errorsOutside(errors: FormErrors, names: readonly string[]): FormErrors {
  const isOf = (path: string) =>
    names.some((name) => path === name || path.startsWith(`${name}[`) || path.startsWith(`${name}.`))
  return Object.fromEntries(Object.entries(errors).filter(([path]) => !isOf(path)))
}

/** It is saved, and the form begins with `next`. What was entered after `sent` stays. */
function settle<Values extends object>(form: UseFormReturnType<Values>, next: Values, sent: Values): void {
  const since = changedFields(sent, form.getValues())
  form.setInitialValues(next)
  // It writes the draft as the first drawing knew it: setting the values writes it again, also where none changed.
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
    // What is wrong with a field is said until that field is changed, not another.
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
