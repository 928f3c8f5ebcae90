// The main navigation. Entries never change their position, and the current one is marked.
import { Kbd } from '@mantine/core'
import { Search, Settings } from 'lucide-react'
import { homePaths } from '../../features/home/paths.ts'
import { settingsPaths } from '../../features/settings/paths.ts'
import type { PageEntry } from '../../shared/navigation.ts'
import { keysText } from '../../shared/shortcuts/shortcuts.ts'
import { useOrg } from '../../shared/use-organization.ts'
import { PAGES } from '../navigation.ts'
import { Bell } from './bell.tsx'
import { openCommands } from './commands.ts'
import { NavItem } from './nav-item.tsx'
import { ObjectItems } from './object-items.tsx'
import { OrganizationMenu } from './organization-menu.tsx'
import { PersonMenu } from './person-menu.tsx'

function PageItems({ section }: Pick<PageEntry, 'section'>) {
  const org = useOrg()
  const pages = PAGES.filter((page) => page.section === section)
  return pages.map(({ title, icon, to }) => (
    // The address of Home is a prefix of all other addresses of the organization.
    <NavItem key={title} to={to(org)} icon={icon} exact={to === homePaths.home}>
      {title}
    </NavItem>
  ))
}

/** @param onClose closes the sidebar where it is a drawer, on a phone */
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
      <NavItem to={settingsPaths.settings(org)} icon={Settings}>
        Settings
      </NavItem>
      <PersonMenu />
    </>
  )
}
