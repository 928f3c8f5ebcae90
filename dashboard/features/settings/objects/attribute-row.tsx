import { useDroppable } from '@dnd-kit/core'
import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Attribute } from '../../../shared/api/objects.ts'
import { TYPES } from '../../../types/types.ts'
import { CodeLine, Line } from '../../../ui/data-table/cells.tsx'
import classes from '../../../ui/data-table/data-table.module.css'

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
