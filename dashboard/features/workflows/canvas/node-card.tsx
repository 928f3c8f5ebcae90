// The card of a step or trigger, on the canvas and in the list: icon, name, summary and result.
import classes from './canvas.module.css'
import { useCanvas } from './canvas-context.ts'
import type { CanvasNode } from './layout.ts'

export function NodeCard({ node }: { node: CanvasNode }) {
  const { selected, onSelect, wordsOf, lookOf, menuOf } = useCanvas()
  const { icon: Icon, title, summary } = wordsOf(node)
  const { tone, note, isDimmed } = lookOf?.(node) ?? {}
  const content = (
    <>
      <span className={classes.icon}>
        <Icon size={16} aria-hidden />
      </span>
      <span className="stack fill">
        <strong className="truncate" title={title}>
          {title}
        </strong>
        <span className="truncate muted tiny" title={summary}>
          {summary}
        </span>
      </span>
      {note && (
        <span className="fixed stack muted tiny tabular" style={{ alignItems: 'flex-end' }}>
          {note}
        </span>
      )}
    </>
  )
  const look = { 'data-tone': tone, 'data-dimmed': isDimmed || undefined, 'data-kind': node.kind }
  if (!onSelect)
    return (
      <div className={classes.card} {...look}>
        {content}
      </div>
    )
  const card = (
    <button
      type="button"
      className={`${classes.card} hoverable nopan`}
      aria-current={selected === node.id || undefined}
      data-node={node.id}
      onClick={() => onSelect(node.id)}
      {...look}
    >
      {content}
    </button>
  )
  const menu = menuOf?.(node)
  if (!menu) return card
  return (
    <div className={classes.withMenu}>
      {card}
      <span className={`${classes.menu} nopan`}>{menu}</span>
    </div>
  )
}
