// The header of the portal: the organization, links to the two pages, and the end of the session.
import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { SunMoon } from 'lucide-react'
import { ColorSchemeItems } from '../../../ui/color-scheme-items.tsx'
import { dateFormat } from '../../../ui/dates.ts'
import frame from '../../../ui/frame.module.css'
import { webhookPaths } from '../../webhooks/paths.ts'
import { usePortal } from '../../webhooks/space.tsx'
import classes from './portal.module.css'

function Appearance() {
  return (
    <Menu width={180}>
      <Menu.Target>
        <ActionIcon aria-label="Appearance">
          <SunMoon size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <ColorSchemeItems />
      </Menu.Dropdown>
    </Menu>
  )
}

const clock = dateFormat({ timeStyle: 'short' })
const exact = dateFormat({ dateStyle: 'full', timeStyle: 'medium' })

function Ends({ at }: { at: string }) {
  const endsAt = new Date(at)
  return (
    <Tooltip label={exact.format(endsAt)}>
      <time className={`${classes.ends} fixed muted tiny`} dateTime={at}>
        Session ends {clock.format(endsAt)}
      </time>
    </Tooltip>
  )
}

function PortalLink({ to, isHere, label }: { to: string; isHere: boolean; label: string }) {
  return (
    <Link
      to={to}
      className={`hoverable small rounded ${isHere ? 'medium' : ''}`}
      style={{ padding: '4px 8px' }}
      data-current={isHere || undefined}
    >
      {label}
    </Link>
  )
}

/** Every page except the event types counts as "Endpoints". */
function PortalLinks() {
  const isCatalogue = useRouterState({
    select: ({ location }) => location.pathname === webhookPaths.portalEventTypes(),
  })
  return (
    <nav className={classes.places} aria-label="Webhooks">
      <PortalLink to={webhookPaths.portal()} isHere={!isCatalogue} label="Endpoints" />
      <PortalLink to={webhookPaths.portalEventTypes()} isHere={isCatalogue} label="Event types" />
    </nav>
  )
}

export function PortalHeader() {
  const { organization, expiresAt } = usePortal()
  return (
    <header className={classes.header}>
      <a href="#content" className={frame.skip}>
        Skip to content
      </a>
      <img src="/favicon.svg" alt="" width={20} height={20} />
      <div className={`${classes.name} flex shrink gap-8`}>
        <strong className="truncate strong" title={organization.name}>
          {organization.name}
        </strong>
        <span className="muted">Webhooks</span>
      </div>
      <PortalLinks />
      {expiresAt !== null && <Ends at={expiresAt} />}
      <Appearance />
    </header>
  )
}
