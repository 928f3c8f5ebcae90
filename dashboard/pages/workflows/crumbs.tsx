import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { Fragment } from 'react'
import settings from '../../components/settings/settings.module.css'

interface Crumb {
  name: string
  to: string
}

/** Where one is: the way here, then the page's own name. */
export function Crumbs({ way, here }: { way: readonly Crumb[]; here: string }) {
  return (
    <nav aria-label="Breadcrumb" className={settings.crumbs}>
      {way.map(({ name, to }) => (
        <Fragment key={to}>
          <Anchor component={Link} to={to} c="dimmed" className={settings.cut} title={name}>
            {name}
          </Anchor>
          <ChevronRight size={14} aria-hidden />
        </Fragment>
      ))}
      <h1 className={settings.crumb} title={here}>
        {here}
      </h1>
    </nav>
  )
}
