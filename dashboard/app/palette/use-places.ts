// The pages one can go to, and the commands one can give.
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  Building,
  CalendarDays,
  CalendarPlus,
  ChartColumn,
  ChartLine,
  FileUp,
  House,
  Keyboard,
  KeyRound,
  LockKeyhole,
  LogOut,
  Moon,
  Plus,
  Shapes,
  Sun,
  UserRound,
  Users,
  Webhook,
  Workflow,
} from 'lucide-react'
import { useSignOut } from '../../features/identity/use-sign-out.ts'
import { objectsQuery } from '../../shared/api/objects.ts'
import { sessionQuery } from '../../shared/api/session.ts'
import { objectIcon } from '../../shared/icons.ts'
import { paths } from '../../shared/paths.ts'
import { useOrganization } from '../../shared/use-organization.ts'
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

const SETTINGS = [
  ['Profile', paths.profile, UserRound, 'password account'],
  ['Organization', paths.organization, Building, 'company currency time zone'],
  ['Members', paths.members, Users, 'invite colleagues team users'],
  ['Objects', paths.settingsObjects, Shapes, 'attributes fields data model'],
  ['API keys', paths.apiKeys, KeyRound, 'developers token'],
  ['Webhooks', paths.webhooks, Webhook, 'developers endpoints events deliveries'],
  ['Workflow secrets', paths.workflowSecrets, LockKeyhole, 'developers tokens passwords automations'],
] as const

export function usePages(): Entry[] {
  const go = useGo()
  const org = useOrganization().organization.slug
  const objects = useActiveObjects().map(({ id, slug, pluralName }) => ({
    id: `page-${id}`,
    title: pluralName,
    icon: objectIcon(slug),
    run: () => go(paths.object(org, slug)),
  }))
  const settings = SETTINGS.map(([title, path, icon, alsoKnownAs]) => ({
    id: `page-settings-${title}`,
    title: `Settings: ${title}`,
    icon,
    alsoKnownAs,
    run: () => go(path(org)),
  }))
  return [
    {
      id: 'page-home',
      title: 'Home',
      icon: House,
      alsoKnownAs: 'start overview',
      run: () => go(paths.home(org)),
    },
    {
      id: 'page-activities',
      title: 'Activities',
      icon: CalendarDays,
      alsoKnownAs: 'tasks calls meetings notes',
      run: () => go(paths.activities(org)),
    },
    ...objects,
    {
      id: 'page-workflows',
      title: 'Workflows',
      icon: Workflow,
      alsoKnownAs: 'automations automate runs',
      run: () => go(paths.workflows(org)),
    },
    {
      id: 'page-reports',
      title: 'Reports',
      icon: ChartColumn,
      alsoKnownAs: 'charts analytics figures statistics',
      run: () => go(paths.reports(org)),
    },
    ...settings,
  ]
}

function useMaking(): Entry[] {
  const go = useGo()
  const org = useOrganization().organization.slug
  const objects = useActiveObjects()
  const creations = objects.map(({ id, slug, singularName }) => ({
    id: `create-${id}`,
    title: `Create ${singularName.toLowerCase()}`,
    icon: Plus,
    alsoKnownAs: 'new add',
    run: () => go(paths.object(org, slug), { create: 1 }),
  }))
  const imports = objects.map(({ id, slug, pluralName }) => ({
    id: `import-${id}`,
    title: `Import ${pluralName.toLowerCase()}`,
    icon: FileUp,
    alsoKnownAs: 'csv upload',
    run: () => go(paths.import(org, slug)),
  }))
  const activity = {
    id: 'create-activity',
    title: 'Create activity',
    icon: CalendarPlus,
    alsoKnownAs: 'new add task call meeting note',
    run: () => go(paths.activities(org), { create: 1 }),
  }
  const report = {
    id: 'create-report',
    title: 'Create report',
    icon: ChartLine,
    alsoKnownAs: 'new add chart analytics',
    run: () => go(paths.newReport(org)),
  }
  return [...creations, activity, report, ...imports]
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
    run: () => go(paths.home(slug)),
  }))
  const make = {
    id: 'new-organization',
    title: 'Create organization',
    icon: Building,
    alsoKnownAs: 'new add',
    run: () => go(paths.newOrganization()),
  }
  return [scheme, ...switches, make]
}

/** @param showShortcuts opens their list */
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
