// The portal: webhooks of one organization, for a visitor with its link, without an account.
import { useWindowEvent } from '@mantine/hooks'
import { Outlet } from '@tanstack/react-router'
import { useState, useSyncExternalStore } from 'react'
import { tokenIn } from '../webhooks/api/portal-link.ts'
import { onPortalState, portalState } from '../webhooks/api/portal-session.ts'
import { portalSpace } from '../webhooks/api/webhook-space.ts'
import { WebhookSpace } from '../webhooks/space.tsx'
import classes from './parts/portal.module.css'
import { PortalClosed } from './parts/portal-closed.tsx'
import { PortalEnded } from './parts/portal-ended.tsx'
import { PortalHeader } from './parts/portal-header.tsx'
import { PortalShortcuts } from './parts/portal-shortcuts.tsx'

/** Another link in the same tab changes nothing but the fragment: the page starts again with it. */
function useNextLink() {
  useWindowEvent('hashchange', () => {
    if (tokenIn(location.hash) !== undefined) location.reload()
  })
}

export function PortalFrame() {
  useNextLink()
  const state = useSyncExternalStore(onPortalState, portalState)
  // A session that ends while the page is in use leaves the page as it is: what was typed is not lost.
  const [wasOpen] = useState(state === 'open')
  if (state !== 'open' && !wasOpen) return <PortalClosed state={state} />
  return (
    <WebhookSpace space={portalSpace}>
      <div className={classes.frame}>
        <PortalHeader />
        {state !== 'open' && <PortalEnded />}
        <main className={classes.main} id="content" tabIndex={-1}>
          <Outlet />
        </main>
        <PortalShortcuts />
      </div>
    </WebhookSpace>
  )
}
