// A part of the first page under its heading.
import type { ReactNode } from 'react'
import classes from './home.module.css'

interface HomeCardProps {
  title: string
  /** Leads to all of it. */
  link?: ReactNode
  children: ReactNode
}

export function HomeCard({ title, link, children }: HomeCardProps) {
  return (
    <section className={classes.card} aria-label={title}>
      <header className={classes.cardHead}>
        <h2 className={classes.cardTitle}>{title}</h2>
        {link}
      </header>
      {children}
    </section>
  )
}
