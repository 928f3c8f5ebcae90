// The frame around every page of an organization: sidebar, and the page.
import { AppShell, Burger } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ConflictQuestions } from '../records/conflicts.tsx'
import { SearchAnywhere } from '../search/search-anywhere.tsx'
import classes from './frame.module.css'
import { Sidebar } from './sidebar.tsx'

export function AppFrame() {
  const [isOpen, drawer] = useDisclosure()
  const { close } = drawer
  const address = useRouterState({ select: ({ location }) => location.pathname })
  // On a phone the sidebar lies over the page: it goes when a page was chosen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address is the reason, not an input
  useEffect(close, [address, close])
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
        <Burger opened={isOpen} onClick={drawer.toggle} size="sm" aria-label="Navigation" />
        <span className={classes.brand}>Rapport</span>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} aria-label="Main">
        <Sidebar onClose={close} />
      </AppShell.Navbar>
      <AppShell.Main className={classes.main} id="content" tabIndex={-1}>
        <ConflictQuestions>
          <Outlet />
        </ConflictQuestions>
      </AppShell.Main>
      <SearchAnywhere />
    </AppShell>
  )
}
