import { useDraggable, useDroppable } from '@dnd-kit/core'
import { ActionIcon, Tooltip, UnstyledButton } from '@mantine/core'
import { GripVertical } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import type { Attribute } from '../../../shared/api/objects.ts'
import { TYPES } from '../../../types/types.ts'
import { CodeLine, Line } from '../../../ui/data-table/cells.tsx'
import classes from '../../../ui/data-table/data-table.module.css'

interface HandleProps {
  attribute: Attribute
  /** @param by number of places down; negative moves up */
  onMove(by: number): void
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

export function Handle({ attribute, onMove }: HandleProps) {
  const { listeners, setNodeRef } = useDraggable({ id: attribute.id })
  const press = (event: KeyboardEvent) => {
    const by = STEPS[event.key]
    if (by === undefined) return
    event.preventDefault()
    onMove(by)
  }
  return (
    <Tooltip label="Drag to move, or press ↑ and ↓">
      <ActionIcon
        ref={setNodeRef}
        {...listeners}
        onKeyDown={press}
        className={classes.handle}
        aria-label={`Move ${attribute.name}`}
        aria-keyshortcuts="ArrowUp ArrowDown"
      >
        <GripVertical size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

export function Rules({ attribute }: { attribute: Attribute }) {
  const rules = [
    !attribute.isActive && 'Inactive',
    attribute.isRequired && 'Required',
    attribute.isUnique && 'Unique',
    attribute.isList && 'Allow multiple',
  ].filter((rule) => rule !== false)
  return (
    <div className="flex wrap gap-4">
      {rules.map((rule) => (
        <span key={rule} className="tag muted tiny">
          {rule}
        </span>
      ))}
    </div>
  )
}

export function Name({ attribute, onOpen }: { attribute: Attribute; onOpen(): void }) {
  const { name, slug } = attribute
  return (
    <>
      <UnstyledButton className={`${classes.cut} ${classes.titleLink}`} onClick={onOpen} title={name}>
        {name}
      </UnstyledButton>
      <CodeLine>{slug}</CodeLine>
    </>
  )
}

export function Type({ type }: Pick<Attribute, 'type'>) {
  const { icon: Icon, label } = TYPES[type]
  return (
    <div className="row shrink gap-8">
      <Icon className="muted" size={14} aria-hidden />
      <Line>{label}</Line>
    </div>
  )
}

export function AttributeRow({ attribute, children }: { attribute: Attribute; children: ReactNode }) {
  const { setNodeRef, active } = useDroppable({ id: attribute.id })
  return (
    <tr
      ref={setNodeRef}
      data-muted={!attribute.isActive || undefined}
      data-dragged={active?.id === attribute.id || undefined}
    >
      {children}
    </tr>
  )
}
