// The settings with their own navigation: on the left, or above the page on a phone.
import { Box, NativeSelect } from '@mantine/core'
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { BookOpen, type LucideIcon } from 'lucide-react'
import { useOrg } from '../../shared/use-organization.ts'
import { SETTINGS } from '../navigation.ts'
import classes from './settings.module.css'

interface SettingsLink {
  label: string
  to: string
  icon: LucideIcon
  /** The address is outside the pages of the dashboard. */
  isElsewhere?: boolean
}

const REFERENCE: SettingsLink = { label: 'API reference', to: '/docs', icon: BookOpen, isElsewhere: true }

function groupsOf(org: string): [string, SettingsLink[]][] {
  const groups = Map.groupBy(SETTINGS, ({ group }) => group)
  return [...groups].map(([group, entries]) => {
    const links = entries.map(({ title, label = title, to, icon }) => ({ label, to: to(org), icon }))
    return [group, group === 'Developers' ? [...links, REFERENCE] : links]
  })
}

function Item({ label, to, icon: Icon, isElsewhere = false }: SettingsLink) {
  const content = (
    <>
      <Icon size={16} aria-hidden />
      {label}
    </>
  )
  if (isElsewhere)
    return (
      <a href={to} className="nav-item">
        {content}
      </a>
    )
  return (
    <Link to={to} className="nav-item" activeOptions={{ includeSearch: false }}>
      {content}
    </Link>
  )
}

function SettingsNav() {
  return (
    <Box component="nav" visibleFrom="sm" className={classes.nav} aria-label="Settings">
      {groupsOf(useOrg()).map(([group, links]) => (
        <div key={group}>
          <h2 className="nav-title">{group}</h2>
          <ul>
            {links.map((link) => (
              <li key={link.to}>
                <Item {...link} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Box>
  )
}

function SettingsPicker() {
  const org = useOrg()
  const navigate = useNavigate()
  const address = useRouterState({ select: ({ location }) => location.pathname })
  const groups = groupsOf(org).map(([group, links]) => ({
    group,
    items: links.filter(({ isElsewhere }) => !isElsewhere).map(({ label, to }) => ({ label, value: to })),
  }))
  const current = groups.flatMap(({ items }) => items).find(({ value }) => address.startsWith(value))
  return (
    <Box hiddenFrom="sm" className="fixed strip">
      <NativeSelect
        aria-label="Settings page"
        data={groups}
        value={current?.value ?? ''}
        onChange={({ currentTarget }) => void navigate({ to: currentTarget.value })}
      />
    </Box>
  )
}

export function SettingsLayout() {
  return (
    <div className={classes.layout}>
      <SettingsNav />
      <SettingsPicker />
      <div className="fill rest">
        <Outlet />
      </div>
    </div>
  )
}
