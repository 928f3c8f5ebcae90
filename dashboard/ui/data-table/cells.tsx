// Parts of table cells: a name that may be a link, and a smaller second line. Both are cut at the end of the cell. Then
// a tooltip shows the full text.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import classes from './data-table.module.css'

interface LineProps {
  children: ReactNode
  /** The tooltip. By default the children, if they are text. */
  title?: string | undefined
}

const tooltip = ({ children, title }: LineProps) =>
  title ?? (typeof children === 'string' ? children : undefined)

export function Line(props: LineProps) {
  return (
    <span className={classes.cut} title={tooltip(props)}>
      {props.children}
    </span>
  )
}

export function SecondLine(props: LineProps) {
  return (
    <span className={`${classes.cut} ${classes.second}`} title={tooltip(props)}>
      {props.children}
    </span>
  )
}

/** A slug or another text for programs. */
export function CodeLine(props: LineProps) {
  return (
    <code className={`${classes.cut} ${classes.second} ${classes.mono}`} title={tooltip(props)}>
      {props.children}
    </code>
  )
}

interface TitleLinkProps extends LineProps {
  to: string
  search?: object
  className?: string
}

export function TitleLink(props: TitleLinkProps) {
  const { to, search, children, className = '' } = props
  return (
    <Link
      to={to}
      {...(search && { search: search as never })}
      className={`${classes.titleLink} ${classes.cut} ${className}`}
      title={tooltip(props)}
    >
      {children}
    </Link>
  )
}
