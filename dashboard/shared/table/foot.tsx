// The foot of the columns: a summary of all values of each column, which the user chooses in a menu.
import { Menu } from '@mantine/core'
import { Sigma } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import classes from './foot.module.css'
import { isNumeric, type PlacedColumn } from './row.tsx'
import { useTable } from './table-context.ts'

interface FootCellProps {
  placed: PlacedColumn
  label: string | undefined
  text: string | undefined
}

/** Menus are expensive to render, so a cell is memoized: scrolling does not render it again. */
const FootCell = memo(function FootCell({ placed, label, text }: FootCellProps) {
  const { column, left } = placed
  const { summaryMenuOf } = useTable()
  return (
    <Menu position="top-start" width={180}>
      <Menu.Target>
        <button
          type="button"
          className={`reveals ${classes.footCell}`}
          style={{ left, width: column.width }}
          data-align={isNumeric(column) ? 'end' : undefined}
          title={label === undefined ? undefined : `${label}: ${text}`}
        >
          {label === undefined ? (
            <span className="inline gap-4 revealed">
              <Sigma size={12} aria-hidden /> Summarize <span className="visually-hidden">{column.name}</span>
            </span>
          ) : (
            <>
              <span className="fixed">
                {label} <span className="visually-hidden">of {column.name}:</span>
              </span>{' '}
              <strong className="truncate medium plain">{text}</strong>
            </>
          )}
        </button>
      </Menu.Target>
      <Menu.Dropdown>{summaryMenuOf(column)}</Menu.Dropdown>
    </Menu>
  )
})

interface FootProps {
  nameWidth: number
  others: readonly PlacedColumn[]
  /** The horizontal scroll position, in pixels. */
  scrolled: number
  /** The content below the name column. */
  children: ReactNode
}

export function Foot({ nameWidth, others, scrolled, children }: FootProps) {
  const { summaryOf } = useTable()
  return (
    <div className={classes.foot} role="group" aria-label="Summaries of columns">
      <div className={classes.footName} style={{ width: nameWidth }}>
        {children}
      </div>
      <div className="grow relative" style={{ overflow: 'hidden' }}>
        <div style={{ translate: `${-scrolled}px 0` }}>
          {others.map((placed) => {
            if (!placed.column.attribute) return null
            const { label, text } = summaryOf(placed.column) ?? {}
            return <FootCell key={placed.column.slug} placed={placed} label={label} text={text} />
          })}
        </div>
      </div>
    </div>
  )
}
