// Whose webhooks these are, the two places there are, and until when.
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
  const moment = new Date(at)
  return (
    <Tooltip label={exact.format(moment)}>
      <time className={`${classes.ends} fixed muted tiny`} dateTime={at}>
        Session ends {clock.format(moment)}
      </time>
    </Tooltip>
  )
}

function Place({ to, isHere, label }: { to: string; isHere: boolean; label: string }) {
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

/** An endpoint is among the endpoints, at any address. */
function Places() {
  const isCatalogue = useRouterState({
    select: ({ location }) => location.pathname === webhookPaths.portalEventTypes(),
  })
  return (
    <nav className={classes.places} aria-label="Webhooks">
      <Place to={webhookPaths.portal()} isHere={!isCatalogue} label="Endpoints" />
      <Place to={webhookPaths.portalEventTypes()} isHere={isCatalogue} label="Event types" />
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
      <Places />
      {expiresAt !== null && <Ends at={expiresAt} />}
      <Appearance />
    </header>
  )
}
