// The portal: the webhooks of one organization, for visitors with a link and without an account.
import { Box } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { Outlet } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { PORTAL_SHORTCUTS } from '../../shared/shortcuts/shortcuts.ts'
import { Opening } from '../../ui/opening.ts'
import { isListKey, useKeyDown } from '../../ui/use-shortcuts.ts'
import { tokenIn } from '../webhooks/api/portal-link.ts'
import { onPortalState, portalState } from '../webhooks/api/portal-session.ts'
import { portalSpace } from '../webhooks/api/webhook-space.ts'
import { WebhookSpace } from '../webhooks/space.tsx'
import { PortalClosed } from './frame/portal-closed.tsx'
import { PortalHeader } from './frame/portal-header.tsx'

// Loaded when the list of shortcuts is first opened.
const Shortcuts = lazy(async () => ({
  default: (await import('../../shared/shortcuts/shortcut-list.tsx')).Shortcuts,
}))

function PortalShortcuts() {
  const [isOpen, setOpen] = useState(false)
  useKeyDown((event) => {
    if (isListKey(event)) setOpen(true)
  }, window)
  return (
    <Suspense fallback={<Opening />}>
      {isOpen && <Shortcuts sections={PORTAL_SHORTCUTS} onClose={() => setOpen(false)} />}
    </Suspense>
  )
}

/** Shown above a page whose session has ended during use. */
function PortalEnded() {
  return (
    <div className="flex fixed gap-8 danger small strip" role="alert">
      <TriangleAlert size={16} aria-hidden />
      <span>
        <strong>Your session has ended.</strong> This page is no longer up to date. Copy what you have typed,
        then open a new link: programs get one from <code>GET /api/v1/webhooks</code>.
      </span>
    </div>
  )
}

/** Another link opened in the same tab changes only the fragment, so the page must be reloaded. */
function useNextLink() {
  useWindowEvent('hashchange', () => {
    if (tokenIn(location.hash) !== undefined) location.reload()
  })
}

export function PortalFrame() {
  useNextLink()
  const state = useSyncExternalStore(onPortalState, portalState)
  // If the session ends during use, the page stays, so that typed text is not lost.
  const [wasOpen] = useState(state === 'open')
  if (state !== 'open' && !wasOpen) return <PortalClosed state={state} />
  return (
    <WebhookSpace space={portalSpace}>
      <Box className="stack" h="100dvh">
        <PortalHeader />
        {state !== 'open' && <PortalEnded />}
        <main className="rest" style={{ outline: 'none' }} id="content" tabIndex={-1}>
          <Outlet />
        </main>
        <PortalShortcuts />
      </Box>
    </WebhookSpace>
  )
}
