import { useDraggable, useDroppable } from '@dnd-kit/core'
import { ActionIcon, Tooltip, UnstyledButton } from '@mantine/core'
import { GripVertical } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import type { Attribute } from '../../../../shared/api/objects.ts'
import { TYPES } from '../../../../types/types.ts'
import classes from '../../../../ui/data-table.module.css'

interface HandleProps {
  attribute: Attribute
  /** Places down; negative is up. */
  onMove(by: number): void
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

function Handle({ attribute, onMove }: HandleProps) {
  const { listeners, setNodeRef } = useDraggable({ id: attribute.id })
  const press = (event: KeyboardEvent) => {
    const by = STEPS[event.key]
    if (by === undefined) return
    event.preventDefault()
    onMove(by)
  }
  return (
    <td className={classes.handleCell}>
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
    </td>
  )
}

function Rules({ attribute }: { attribute: Attribute }) {
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

interface AttributeRowProps extends HandleProps {
  isReadOnly: boolean
  onOpen(): void
}

export function AttributeRow({ attribute, isReadOnly, onMove, onOpen }: AttributeRowProps) {
  const { setNodeRef, active } = useDroppable({ id: attribute.id })
  const Icon = TYPES[attribute.type].icon
  return (
    <tr
      ref={setNodeRef}
      data-muted={!attribute.isActive || undefined}
      data-dragged={active?.id === attribute.id || undefined}
    >
      {!isReadOnly && <Handle attribute={attribute} onMove={onMove} />}
      <th scope="row">
        <UnstyledButton
          className={`${classes.cut} ${classes.titleLink}`}
          onClick={onOpen}
          title={attribute.name}
        >
          {attribute.name}
        </UnstyledButton>
        <code className={`${classes.cut} ${classes.second} ${classes.mono}`}>{attribute.slug}</code>
      </th>
      <td>
        <div className="row shrink gap-8">
          <Icon className="muted" size={14} aria-hidden />
          <span className={classes.cut}>{TYPES[attribute.type].label}</span>
        </div>
      </td>
      <td className={classes.wide}>
        <Rules attribute={attribute} />
      </td>
    </tr>
  )
}
