// What one may not do stays in sight, disabled, and says why.
import { Tooltip } from '@mantine/core'
import { Lock } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'

/** The reason on hover and for the keyboard: of a control with `data-disabled`, which keeps its focus. */
export function WithReason({ reason, children }: { reason: string | undefined; children: ReactElement }) {
  return (
    <Tooltip
      label={reason ?? ''}
      disabled={reason === undefined}
      events={{ hover: true, focus: true, touch: true }}
      multiline
      maw={280}
    >
      {children}
    </Tooltip>
  )
}

/** Why a whole page cannot be changed. */
export function ReadOnlyNote({ children }: { children: ReactNode }) {
  return (
    <div className="note" role="note">
      <Lock className="muted" size={14} aria-hidden />
      <span>{children}</span>
    </div>
  )
}
