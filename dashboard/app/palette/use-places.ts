// The pages and commands that the search offers.
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Building, Keyboard, LogOut, Moon, Sun } from 'lucide-react'
import { homePaths } from '../../features/home/paths.ts'
import { identityPaths } from '../../features/identity/paths.ts'
import { useSignOut } from '../../features/identity/use-sign-out.ts'
import { objectsQuery } from '../../shared/api/objects.ts'
import { sessionQuery } from '../../shared/api/session.ts'
import { objectIcon } from '../../shared/icons.ts'
import type { CommandEntry, ObjectCommandEntry, PageEntry, SettingsEntry } from '../../shared/navigation.ts'
import { recordPaths } from '../../shared/paths.ts'
import { useOrganization } from '../../shared/use-organization.ts'
import { NAVIGATION, PAGES, SETTINGS } from '../navigation.ts'
import type { Entry } from './entry.ts'

function useGo() {
  const navigate = useNavigate()
  return (to: string, search: object = {}) => void navigate({ to, search } as never)
}

function useActiveObjects() {
  const { organization } = useOrganization()
  const { data } = useSuspenseQuery(objectsQuery(organization.slug))
  return data.filter(({ isActive }) => isActive)
}

export function usePages(): Entry[] {
  const go = useGo()
  const org = useOrganization().organization.slug
  const objects = useActiveObjects().map(({ id, slug, pluralName }) => ({
    id: `page-${id}`,
    title: pluralName,
    icon: objectIcon(slug),
    run: () => go(recordPaths.object(org, slug)),
  }))
  const entryOf = ({ title, icon, alsoKnownAs, to }: PageEntry | SettingsEntry): Entry => ({
    id: `page-${to(org)}`,
    title,
    icon,
    alsoKnownAs,
    run: () => go(to(org)),
  })
  return [
    ...PAGES.filter(({ section }) => section === undefined).map(entryOf),
    ...objects,
    ...PAGES.filter(({ section }) => section !== undefined).map(entryOf),
    ...SETTINGS.map((page) => ({ ...entryOf(page), title: `Settings: ${page.title}` })),
  ]
}

function useMaking(): Entry[] {
  const go = useGo()
  const org = useOrganization().organization.slug
  const objects = useActiveObjects()
  const ofObject = ({ title, icon, alsoKnownAs, to, search }: ObjectCommandEntry): Entry[] =>
    objects.map((object) => ({
      id: `command-${to(org, object.slug)}`,
      title: title(object),
      icon,
      alsoKnownAs,
      run: () => go(to(org, object.slug), search),
    }))
  const ofOrganization = ({ to, search, ...entry }: CommandEntry): Entry => ({
    ...entry,
    id: `command-${to(org)}`,
    run: () => go(to(org), search),
  })
  return NAVIGATION.flatMap(({ objectCommands = [], commands = [] }) => [
    ...objectCommands.flatMap(ofObject),
    ...commands.map(ofOrganization),
  ])
}

function useSwitching(): Entry[] {
  const go = useGo()
  const { organization } = useOrganization()
  const { data: session } = useSuspenseQuery(sessionQuery())
  const { setColorScheme } = useMantineColorScheme()
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark'
  const scheme = {
    id: 'scheme',
    title: `Switch to ${other}`,
    icon: other === 'dark' ? Moon : Sun,
    alsoKnownAs: 'appearance theme mode color',
    run: () => setColorScheme(other),
  }
  const others = (session?.organizations ?? []).filter(({ id }) => id !== organization.id)
  const switches = others.map(({ id, slug, name }) => ({
    id: `organization-${id}`,
    title: `Switch to ${name}`,
    icon: Building,
    alsoKnownAs: 'organization',
    run: () => go(homePaths.home(slug)),
  }))
  const make = {
    id: 'new-organization',
    title: 'Create organization',
    icon: Building,
    alsoKnownAs: 'new add',
    run: () => go(identityPaths.newOrganization()),
  }
  return [scheme, ...switches, make]
}

/** @param showShortcuts opens the list of shortcuts */
export function useCommands(showShortcuts: () => void): Entry[] {
  const making = useMaking()
  const switching = useSwitching()
  const signOut = useSignOut()
  return [
    ...making,
    ...switching,
    {
      id: 'shortcuts',
      title: 'Show shortcuts',
      icon: Keyboard,
      alsoKnownAs: 'keys keyboard help',
      run: showShortcuts,
    },
    {
      id: 'sign-out',
      title: 'Sign out',
      icon: LogOut,
      alsoKnownAs: 'log out leave',
      run: () => void signOut(),
    },
  ]
}
