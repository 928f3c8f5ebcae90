// Repeats the check with other choices, without leaving the step.
import { useEffect, useRef, useState } from 'react'
import type { CheckResult, ImportCheck } from '../../../../contract/imports.ts'
import { checkImport, type Import } from '../api.ts'
import { useAction } from '../page/use-action.ts'
import { checkWith } from './replacements.ts'

export const useCheckAgain = (file: Import, onDone?: () => void) =>
  useAction(
    (org, change: Partial<Pick<ImportCheck, 'mapping' | 'replacements'>>) =>
      checkImport(org, file.id, checkWith(file, change)),
    onDone,
  )

/** The result of the check; during another check, the result of the previous one. */
export function useShownCheck({ check }: Import): CheckResult | null {
  const [last, setLast] = useState(check)
  if (check && check !== last) setLast(check)
  return check ?? last
}

/** The line that had the focus may be removed by the check: the focus then moves to the step. */
export function useFocusAfter(isChecking: boolean): void {
  const was = useRef(isChecking)
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (was.current && !isChecking && isLost) document.getElementById('step')?.focus({ preventScroll: true })
    was.current = isChecking
  }, [isChecking])
}
