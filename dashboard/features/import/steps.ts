// The steps of an import: the page shows the step for its state.
import type { Import } from './api.ts'

export const STEPS = ['upload', 'map', 'check', 'run', 'done'] as const
export type Step = (typeof STEPS)[number]

export const STEP_NAMES: Readonly<Record<Step, string>> = {
  upload: 'Upload',
  map: 'Map columns',
  check: 'Check',
  run: 'Import',
  done: 'Done',
}

/** The search parameters of the address. */
export interface ImportSearch {
  /** Id of the import; without it, the page offers to choose a file. */
  import?: string
  /** `map`: shows the mapping again after the check. */
  step?: 'map'
  /** Id of the import whose choices are applied to the next file. */
  like?: string
}

export const validImportSearch = (search: Record<string, unknown>): ImportSearch => ({
  ...(typeof search['import'] === 'string' && { import: search['import'] }),
  ...(search['step'] === 'map' && { step: 'map' as const }),
  ...(typeof search['like'] === 'string' && { like: search['like'] }),
})

const STEP_OF: Readonly<Record<Import['state'], Step>> = {
  uploaded: 'map',
  checking: 'check',
  checked: 'check',
  running: 'run',
  completed: 'done',
  failed: 'done',
  cancelled: 'done',
}

export function stepOf(file: Pick<Import, 'state'> | undefined, { step }: ImportSearch): Step {
  if (!file) return 'upload'
  return file.state === 'checked' && step === 'map' ? 'map' : STEP_OF[file.state]
}
