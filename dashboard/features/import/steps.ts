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

/** What the address contains in addition to the object. */
export interface ImportSearch {
  /** The import; none: a file is to be chosen. */
  import?: string
  /** Back at the mapping of a file that is checked. */
  step?: 'map'
  /** The import whose choices the next file begins with. */
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
