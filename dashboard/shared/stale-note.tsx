// A note that the data could not be refreshed. The old data stays on the page.
import { CloudOff } from 'lucide-react'
import { messageOf } from './api/errors.ts'

export function StaleNote({ error }: { error: unknown }) {
  if (error === null) return null
  return (
    <div className="note" role="status">
      <CloudOff className="muted" size={14} aria-hidden />
      <span>This may be out of date. {messageOf(error)}.</span>
    </div>
  )
}
