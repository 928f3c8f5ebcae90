// The settings and their own navigation: at the left, and above the page on a phone.
import { Box, NativeSelect } from '@mantine/core'
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { BookOpen, type LucideIcon } from 'lucide-react'
import { useOrg } from '../../shared/use-organization.ts'
import { SETTINGS } from '../navigation.ts'
import classes from './settings.module.css'

interface Place {
  label: string
  to: string
  icon: LucideIcon
  /** Outside of the dashboard's own pages. */
  isElsewhere?: boolean
}

const REFERENCE: Place = { label: 'API reference', to: '/docs', icon: BookOpen, isElsewhere: true }

function groupsOf(org: string): [string, Place[]][] {
  const groups = Map.groupBy(SETTINGS, ({ group }) => group)
  return [...groups].map(([group, entries]) => {
    const places = entries.map(({ title, label = title, to, icon }) => ({ label, to: to(org), icon }))
    return [group, group === 'Developers' ? [...places, REFERENCE] : places]
  })
}

function Item({ label, to, icon: Icon, isElsewhere = false }: Place) {
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
      {groupsOf(useOrg()).map(([group, places]) => (
        <div key={group}>
          <h2 className="nav-title">{group}</h2>
          <ul>
            {places.map((place) => (
              <li key={place.to}>
                <Item {...place} />
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
  const groups = groupsOf(org).map(([group, places]) => ({
    group,
    items: places.filter(({ isElsewhere }) => !isElsewhere).map(({ label, to }) => ({ label, value: to })),
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
