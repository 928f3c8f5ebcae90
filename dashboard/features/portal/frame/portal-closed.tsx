// Shown instead of the portal without a valid session: the reason, and how to get a new link.

import { PlainFrame } from '../../../ui/plain-frame.tsx'
import type { PortalState } from '../../webhooks/api/portal-session.ts'

const WORDS: Readonly<Record<Exclude<PortalState, 'open'>, { title: string; text: string }>> = {
  'no-link': {
    title: 'Open the portal with a link',
    text: 'This address does not say whose webhooks to show.',
  },
  'link-refused': {
    title: 'This link is no longer valid',
    text: 'Links are valid for one hour; this one has expired, was revoked or is incomplete.',
  },
  ended: {
    title: 'Your session has ended',
    text: 'A session lasts 8 hours, or until the person who gave you the link loses access.',
  },
}

/** Explains where to get a new link. */
function AskForLink() {
  return (
    <p>
      Ask for a new link where you got this one. Programs get it from <code>GET /api/v1/webhooks</code>; in
      the dashboard, owners and admins find the same pages under Settings → Webhooks.
    </p>
  )
}

export function PortalClosed({ state }: { state: Exclude<PortalState, 'open'> }) {
  const { title, text } = WORDS[state]
  return (
    <PlainFrame title={title} lead={text}>
      <AskForLink />
    </PlainFrame>
  )
}
