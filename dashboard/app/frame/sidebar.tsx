// Where one can go: entries never jump, the current one is marked.
import { Kbd } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type LucideIcon, Search, Settings } from 'lucide-react'
import type { ReactNode } from 'react'
import { numberFormat } from '../../../contract/language.ts'
import { homePaths } from '../../features/home/paths.ts'
import { allObjectsQuery } from '../../features/settings/api/object-administration.ts'
import { settingsPaths } from '../../features/settings/paths.ts'
import { objectsQuery } from '../../shared/api/objects.ts'
import { objectIcon } from '../../shared/icons.ts'
import type { PageEntry } from '../../shared/navigation.ts'
import { recordPaths } from '../../shared/paths.ts'
import { keysText } from '../../shared/shortcuts/shortcuts.ts'
import { useOrg } from '../../shared/use-organization.ts'
import { lazy } from '../../ui/lazy.ts'
import { PAGES } from '../navigation.ts'
import { Bell } from './bell.tsx'
import { openCommands } from './commands.ts'
import { OrganizationMenu } from './organization-menu.tsx'
import { PersonMenu } from './person-menu.tsx'

interface ItemProps {
  to: string
  icon: LucideIcon
  /** Marked only at this very address, not below it. */
  exact?: boolean
  count?: number | null | undefined
  children: ReactNode
}

const compact = lazy(() => numberFormat({ notation: 'compact' }))

function Item({ to, icon: Icon, exact = false, count, children }: ItemProps) {
  return (
    <Link to={to} className="nav-item" activeOptions={{ exact, includeSearch: false }}>
      <Icon size={16} aria-hidden />
      <span className="truncate fill">{children}</span>
      {count ? (
        <span className="muted tiny tabular" aria-hidden>
          {compact().format(count)}
        </span>
      ) : null}
    </Link>
  )
}

const COUNTED_MS = 60_000

function ObjectItems() {
  const org = useOrg()
  const { data: objects } = useSuspenseQuery(objectsQuery(org))
  // Beside the page: it waits for no count, and one that takes too long is not shown.
  const { data: sized } = useQuery({
    ...allObjectsQuery(org),
    staleTime: COUNTED_MS,
    refetchInterval: COUNTED_MS,
  })
  const counts = new Map(sized?.map((object) => [object.id, object.recordCount]))
  return objects.map(({ id, slug, pluralName }) => (
    <Item key={id} to={recordPaths.object(org, slug)} icon={objectIcon(slug)} count={counts.get(id)}>
      {pluralName}
    </Item>
  ))
}

function PageItems({ section }: Pick<PageEntry, 'section'>) {
  const org = useOrg()
  const pages = PAGES.filter((page) => page.section === section)
  return pages.map(({ title, icon, to }) => (
    // The address of an organization is the beginning of all others.
    <Item key={title} to={to(org)} icon={icon} exact={to === homePaths.home}>
      {title}
    </Item>
  ))
}

/** @param onClose closes the drawer that the sidebar is on a phone */
export function Sidebar({ onClose }: { onClose(): void }) {
  const org = useOrg()
  const search = () => {
    onClose()
    openCommands()
  }
  return (
    <>
      <OrganizationMenu />
      <button type="button" className="nav-item" onClick={search}>
        <Search size={16} aria-hidden />
        <span className="truncate fill">Search</span>
        <Kbd size="xs">{keysText({ keys: ['mod', 'K'] })}</Kbd>
      </button>
      <Bell />
      <PageItems />
      <h2 className="nav-title">Records</h2>
      <ObjectItems />
      <h2 className="nav-title">Automate</h2>
      <PageItems section="Automate" />
      <div className="grow" />
      <Item to={settingsPaths.settings(org)} icon={Settings}>
        Settings
      </Item>
      <PersonMenu />
    </>
  )
}
