// The frame of a page: its top bar with title and actions, and the content below it.
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import classes from './page.module.css'

interface PageProps {
  /** The title of the page and of the browser tab. */
  title: string
  /** Replaces the title in the bar, such as a breadcrumb. */
  heading?: ReactNode
  /** On the right of the bar, with at most one primary action. */
  actions?: ReactNode
  /** `reading`: 720 px wide, for forms and settings. `full`: the whole width, for tables and canvases. */
  width?: 'reading' | 'full'
  children: ReactNode
}

export function Page({ title, heading, actions, width = 'reading', children }: PageProps) {
  useDocumentTitle(`${title} · Rapport`)
  return (
    <div className={classes.page}>
      <header className={classes.bar}>
        <div className="row shrink gap-8">{heading ?? <h1 className="truncate">{title}</h1>}</div>
        <div className="row fixed gap-8">{actions}</div>
      </header>
      <div className={width === 'full' ? classes.full : classes.reading}>{children}</div>
    </div>
  )
}
