// The frame around every page of an organization: the sidebar and the page.
import { ActionIcon, AppShell, Burger } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { guard, hasEnded, onChange } from '../../shared/api/session-guard.ts'
import { LiveUpdates } from '../../shared/live/live-updates.tsx'
import { NoMembership } from '../../shared/pages/no-membership.tsx'
import { ConflictQuestions } from '../../shared/records/conflict-questions.tsx'
import { UndoKeys } from '../../shared/undo/undo-keys.tsx'
import classes from '../../ui/frame.module.css'
import { later, loadRest, Nothing } from '../../ui/later.tsx'
import { SearchAnywhere } from '../palette/search-anywhere.tsx'
import { BellLink } from './bell.tsx'
import { openCommands } from './commands.ts'
import { Sidebar } from './sidebar.tsx'
import { UnverifiedBanner } from './unverified-banner.tsx'
import { useIsNarrow } from './use-is-narrow.ts'
import { useMembership } from './use-membership.ts'

// The dialog opens without a user action, so keys that are pressed while it loads belong to the page.
const SignInAgain = later(async () => (await import('./sign-in-again.tsx')).SignInAgain, Nothing)

/**
 * One dialog over every page to sign in again after the session has ended. The page behind it stays unchanged, and
 * waiting requests continue after sign-in.
 */
function SessionEnded() {
  useEffect(guard, [])
  const isOver = useSyncExternalStore(onChange, hasEnded)
  return isOver ? <SignInAgain /> : null
}

/** On a phone the sidebar is a drawer over the page. It is rendered when the user first opens it. */
function useDrawer() {
  const [isOpen, { close, open }] = useDisclosure()
  const [wasOpen, setWasOpen] = useState(false)
  const isNarrow = useIsNarrow()
  const toggle = () => {
    setWasOpen(true)
    if (isOpen) close()
    else open()
  }
  return { isOpen, close, toggle, isMade: wasOpen || !isNarrow }
}

function Frame() {
  const { isOpen, close, toggle, isMade } = useDrawer()
  const address = useRouterState({ select: ({ location }) => location.href })
  // Closes the drawer when the user has chosen a page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address is the reason, not an input
  useEffect(close, [address, close])
  useEffect(loadRest, [])
  return (
    <AppShell
      layout="alt"
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      header={{ height: { base: 48, sm: 0 } }}
      withBorder={false}
    >
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <AppShell.Header hiddenFrom="sm" className={classes.header}>
        <Burger opened={isOpen} onClick={toggle} size="sm" aria-label="Navigation" />
        <span className="grow strong">Rapport</span>
        <BellLink />
        <ActionIcon variant="subtle" color="gray" size={36} aria-label="Search" onClick={openCommands}>
          <Search size={18} aria-hidden />
        </ActionIcon>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} aria-label="Main">
        {isMade && <Sidebar onClose={close} />}
      </AppShell.Navbar>
      <AppShell.Main className={classes.main} id="content" tabIndex={-1}>
        <UnverifiedBanner />
        <div className="rest">
          <ConflictQuestions>
            <Outlet />
          </ConflictQuestions>
        </div>
      </AppShell.Main>
      <SearchAnywhere />
      <SessionEnded />
      <LiveUpdates />
      <UndoKeys />
    </AppShell>
  )
}

/** Removes all content of an organization from the page once the user is no longer a member. */
export function AppFrame() {
  const { isMember, formerName } = useMembership()
  return isMember ? <Frame /> : <NoMembership formerName={formerName} />
}
