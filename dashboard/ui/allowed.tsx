// Actions that the user may not perform stay visible but disabled, and show the reason.
import { Tooltip } from '@mantine/core'
import { Lock } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'

/** Shows the reason on hover and focus. The control has `data-disabled`, so it can still get the focus. */
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

/** Says why a whole page cannot be changed. */
export function ReadOnlyNote({ children }: { children: ReactNode }) {
  return (
    <div className="note" role="note">
      <Lock className="muted" size={14} aria-hidden />
      <span>{children}</span>
    </div>
  )
}
