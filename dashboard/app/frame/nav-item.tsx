// One entry of the sidebar.
import { Link } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { numberFormat } from '../../../contract/language.ts'
import { lazy } from '../../ui/lazy.ts'

interface NavItemProps {
  to: string
  icon: LucideIcon
  /** The entry is marked only on exactly this address, not on addresses below it. */
  exact?: boolean
  /** The entry is marked only when the address has exactly these search parameters. */
  search?: object
  count?: number | null | undefined
  children: ReactNode
}

const compact = lazy(() => numberFormat({ notation: 'compact' }))

export function NavItem({ to, icon: Icon, exact = false, search, count, children }: NavItemProps) {
  return (
    <Link
      to={to}
      search={search as never}
      className="nav-item"
      activeOptions={{ exact, includeSearch: search !== undefined }}
    >
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
