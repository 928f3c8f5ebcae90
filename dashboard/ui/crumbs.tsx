import { ActionIcon, Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Fragment } from 'react'
import classes from './crumbs.module.css'

interface Crumb {
  name: string
  to: string
}

interface CrumbsProps {
  way: readonly Crumb[]
  here: string
  /** The full name, when `here` is shortened. */
  hint?: string
  /** The content of the page has its own heading. */
  hasHeading?: boolean
}

/** Breadcrumbs: the ancestors of the page, then its name. A phone has room only for a link to the parent. */
export function Crumbs({ way, here, hint = here, hasHeading = false }: CrumbsProps) {
  const parent = way.at(-1)
  const Here = hasHeading ? 'span' : 'h1'
  return (
    <nav aria-label="Breadcrumb" className={classes.crumbs}>
      {parent && (
        <ActionIcon component={Link} to={parent.to} aria-label={parent.name} size="sm" hiddenFrom="sm">
          <ChevronLeft size={16} aria-hidden />
        </ActionIcon>
      )}
      {way.map(({ name, to }) => (
        <Fragment key={to}>
          <Anchor component={Link} to={to} c="dimmed" className={`truncate ${classes.ancestor}`} title={name}>
            {name}
          </Anchor>
          <ChevronRight size={14} aria-hidden className={classes.ancestor} />
        </Fragment>
      ))}
      <Here className={classes.crumb} aria-current="page" title={hint}>
        {here}
      </Here>
    </nav>
  )
}
