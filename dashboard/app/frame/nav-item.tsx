// One place in the sidebar.
import { Link } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { numberFormat } from '../../../contract/language.ts'
import { lazy } from '../../ui/lazy.ts'

interface NavItemProps {
  to: string
  icon: LucideIcon
  /** Marked only at this very address, not below it. */
  exact?: boolean
  /** Marked only with exactly these parts of the address. */
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
