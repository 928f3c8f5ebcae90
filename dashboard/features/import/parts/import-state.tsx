// The state of an import as a word and an icon.
import { CircleCheck, CircleDashed, CircleSlash, CircleX, ListChecks, type LucideIcon } from 'lucide-react'
import type { ImportState } from '../../../../contract/import-states.ts'
import classes from './import.module.css'

const LOOKS: Readonly<Record<ImportState, readonly [LucideIcon, string, string?]>> = {
  uploaded: [CircleDashed, 'To be mapped'],
  checking: [CircleDashed, 'Checking', 'busy'],
  checked: [ListChecks, 'To be imported'],
  running: [CircleDashed, 'Importing', 'busy'],
  completed: [CircleCheck, 'Completed', 'good'],
  failed: [CircleX, 'Failed', 'bad'],
  cancelled: [CircleSlash, 'Cancelled'],
}

export function ImportStateLabel({ state }: { state: ImportState }) {
  const [Icon, text, tone] = LOOKS[state]
  return (
    <span className={classes.state} data-tone={tone}>
      <Icon size={14} aria-hidden />
      {text}
    </span>
  )
}
