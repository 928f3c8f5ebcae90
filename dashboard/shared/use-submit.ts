// Submits a form: one request at a time, with the error of a refusal shown in the form.
import { type FormEvent, useState } from 'react'

/**
 * Reads the texts of a form's named fields, and stops the browser from submitting the form.
 * @param names the `name` attributes of the inputs
 */
export function readForm<Name extends string>(
  event: FormEvent<HTMLFormElement>,
  names: readonly Name[],
): Record<Name, string> {
  event.preventDefault()
  const data = new FormData(event.currentTarget)
  return Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '')])) as Record<Name, string>
}

interface Submission<Input> {
  /** @returns whether it succeeded */
  submit(input: Input): Promise<boolean>
  isBusy: boolean
  /** The error of the last attempt. */
  error: unknown
  /** Removes the error of the last attempt. */
  clearError(): void
}

export function useSubmit<Input>(action: (input: Input) => Promise<unknown>): Submission<Input> {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const submit = async (input: Input) => {
    setBusy(true)
    setError(undefined)
    try {
      await action(input)
      return true
    } catch (refusal) {
      setError(refusal)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { submit, isBusy, error, clearError: () => setError(undefined) }
}
