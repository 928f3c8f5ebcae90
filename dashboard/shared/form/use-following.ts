import { useEffect, useRef } from 'react'
import { changedFields } from './changed-fields.ts'
import type { DataForm } from './use-data-form.ts'

/**
 * Shows saved values that change while the form is open, such as by an undo or by another person, in the fields that
 * the user has not changed.
 */
export function useFollowing<Values extends object>(
  { settle }: Pick<DataForm<Values>, 'settle'>,
  saved: Values,
): void {
  const known = useRef(saved)
  useEffect(() => {
    const before = known.current
    known.current = saved
    if (Object.keys(changedFields(before, saved)).length > 0) settle(saved, before)
  })
}
