// What is shown could not be read again: it stays, and says so.
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
