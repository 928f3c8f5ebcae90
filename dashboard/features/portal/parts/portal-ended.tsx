// Above a page whose session ended while it was in use.
import { TriangleAlert } from 'lucide-react'
import classes from './portal.module.css'

export function PortalEnded() {
  return (
    <div className={classes.ended} role="alert">
      <TriangleAlert size={16} aria-hidden />
      <span>
        <strong>Your session has ended.</strong> What you see stays, and is no longer up to date. Copy what
        you have typed, then open a new link: programs get one from <code>GET /api/v1/webhooks</code>.
      </span>
    </div>
  )
}
