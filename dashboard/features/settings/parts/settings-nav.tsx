// The settings' own navigation: at the left, and above the page on a phone.
import { NativeSelect } from '@mantine/core'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import {
  BookOpen,
  Boxes,
  Building2,
  KeyRound,
  LockKeyhole,
  type LucideIcon,
  UserRound,
  UsersRound,
  Webhook,
} from 'lucide-react'
import { paths } from '../../../shared/paths.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import classes from '../../../ui/settings.module.css'

interface Place {
  label: string
  to: string
  icon: LucideIcon
  /** Outside of the dashboard's own pages. */
  isElsewhere?: boolean
}

const groupsOf = (org: string): [string, Place[]][] => [
  ['You', [{ label: 'Profile', to: paths.profile(org), icon: UserRound }]],
  [
    'Organization',
    [
      { label: 'General', to: paths.organization(org), icon: Building2 },
      { label: 'Members', to: paths.members(org), icon: UsersRound },
      { label: 'Objects', to: paths.settingsObjects(org), icon: Boxes },
    ],
  ],
  [
    'Developers',
    [
      { label: 'API keys', to: paths.apiKeys(org), icon: KeyRound },
      { label: 'Webhooks', to: paths.webhooks(org), icon: Webhook },
      { label: 'Workflow secrets', to: paths.workflowSecrets(org), icon: LockKeyhole },
      { label: 'API reference', to: '/docs', icon: BookOpen, isElsewhere: true },
    ],
  ],
]

function Item({ label, to, icon: Icon, isElsewhere = false }: Place) {
  const content = (
    <>
      <Icon size={16} aria-hidden />
      {label}
    </>
  )
  if (isElsewhere)
    return (
      <a href={to} className={classes.navItem}>
        {content}
      </a>
    )
  return (
    <Link to={to} className={classes.navItem} activeOptions={{ includeSearch: false }}>
      {content}
    </Link>
  )
}

export function SettingsNav() {
  return (
    <nav className={classes.nav} aria-label="Settings">
      {groupsOf(useOrg()).map(([group, places]) => (
        <div key={group}>
          <h2 className={classes.navTitle}>{group}</h2>
          <ul className={classes.navList}>
            {places.map((place) => (
              <li key={place.to}>
                <Item {...place} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

export function SettingsPicker() {
  const org = useOrg()
  const navigate = useNavigate()
  const address = useRouterState({ select: ({ location }) => location.pathname })
  const groups = groupsOf(org).map(([group, places]) => ({
    group,
    items: places.filter(({ isElsewhere }) => !isElsewhere).map(({ label, to }) => ({ label, value: to })),
  }))
  const current = groups.flatMap(({ items }) => items).find(({ value }) => address.startsWith(value))
  return (
    <div className={classes.picker}>
      <NativeSelect
        aria-label="Settings page"
        data={groups}
        value={current?.value ?? ''}
        onChange={({ currentTarget }) => void navigate({ to: currentTarget.value })}
      />
    </div>
  )
}
