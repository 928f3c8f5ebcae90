// Pages outside an organization: one short form in the middle.
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import classes from './plain-frame.module.css'

interface PlainFrameProps {
  title: string
  /** One sentence that says what the page is for. */
  lead?: ReactNode
  children: ReactNode
  /** Links to what one may have wanted instead. */
  footer?: ReactNode
}

export function PlainFrame({ title, lead, children, footer }: PlainFrameProps) {
  useDocumentTitle(`${title} · Rapport`)
  return (
    <main className={classes.frame}>
      <div className={classes.box}>
        <img src="/favicon.svg" alt="" width={32} height={32} />
        <h1 className={classes.title}>{title}</h1>
        {lead && <p className={classes.lead}>{lead}</p>}
        {children}
        {footer && <div className={classes.footer}>{footer}</div>}
      </div>
    </main>
  )
}
