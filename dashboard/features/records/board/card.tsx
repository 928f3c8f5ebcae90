// A record on a board: its name as a link, and the chosen fields.
import { useDraggable } from '@dnd-kit/core'
import { ActionIcon, Box, Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import type { Attribute } from '../../../shared/api/objects.ts'
import type { CrmRecord } from '../../../shared/api/records.ts'
import { recordPaths } from '../../../shared/paths.ts'
import { PictureOr } from '../../../shared/records/record-picture.tsx'
import { isEmpty } from '../../../shared/values/format.ts'
import { MemberPicture } from '../../../shared/values/member-chip.tsx'
import { ValueView } from '../../../shared/values/value-view.tsx'
import { MenuOnDemand } from '../../../ui/menu-on-demand.tsx'
import classes from './board.module.css'
import { useBoard } from './board-context.ts'
import { focusNeighbour } from './card-focus.ts'
import { type ColumnValue, canTake, columnTitle, isAmount } from './columns.ts'

interface CardProps {
  record: CrmRecord
  value: ColumnValue
}

interface FieldProps {
  record: CrmRecord
  attribute: Attribute
}

/** The name of the attribute is shown to screen readers and on hover. */
function Field({ record, attribute, className }: FieldProps & { className: string | undefined }) {
  return (
    <div className={className} title={attribute.name}>
      <dt className="visually-hidden">{attribute.name}</dt>
      <dd className="truncate tabular">
        <ValueView attribute={attribute} value={record.data[attribute.slug]} />
      </dd>
    </div>
  )
}

function Owner({ record, attribute }: FieldProps) {
  return (
    <div>
      <dt className="visually-hidden">{attribute.name}</dt>
      <dd className="flex">
        <MemberPicture id={String(record.data[attribute.slug])} />
      </dd>
    </div>
  )
}

/** The fields, then a line with the owner and, at the right, the amount. */
function Fields({ record }: { record: CrmRecord }) {
  const { fields, owner } = useBoard()
  const isFilled = ({ slug }: Attribute) => !isEmpty(record.data[slug])
  const [amount] = fields.filter((field) => isAmount(field) && isFilled(field))
  const others = fields.filter((field) => field !== amount && isFilled(field))
  const owned = owner && isFilled(owner) ? owner : undefined
  return (
    <>
      {others.length > 0 && (
        <Box component="dl" className={`stack gap-2 ${classes.fields}`} mt={4}>
          {others.map((attribute) => (
            <Field key={attribute.id} record={record} attribute={attribute} className="muted" />
          ))}
        </Box>
      )}
      {(amount || owned) && (
        <Box component="dl" className="row gap-8" mt={6}>
          {owned && <Owner record={record} attribute={owned} />}
          {amount && <Field record={record} attribute={amount} className={classes.amount} />}
        </Box>
      )}
    </>
  )
}

/** Moves the card without dragging, also on a phone, where only one column is visible. */
function MoveMenu({ record, value }: CardProps) {
  const { source, values, locked, nameOf, move } = useBoard()
  const { groupBy } = source
  const others = values.filter((to) => to !== value && canTake(groupBy, to))
  const button = (
    <ActionIcon
      className={`revealed ${classes.menu}`}
      size="sm"
      disabled={locked !== undefined}
      aria-label={`Move ${nameOf(record)}`}
    >
      <Ellipsis size={14} aria-hidden />
    </ActionIcon>
  )
  return (
    <MenuOnDemand target={button} position="bottom-end" withinPortal>
      {() => (
        <Menu.Dropdown mah={320} maw={320} className="scroll">
          <Menu.Label>Move to</Menu.Label>
          {others.map((to) => (
            <Menu.Item key={to ?? ''} onClick={() => move({ record, from: value, to })}>
              {columnTitle(groupBy, to)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      )}
    </MenuOnDemand>
  )
}

function Picture({ record }: { record: CrmRecord }) {
  const { source, nameOf } = useBoard()
  return (
    <PictureOr object={source.object.slug} recordId={record.id} name={nameOf(record)}>
      {null}
    </PictureOr>
  )
}

/** The content of the card without its controls, also shown under the pointer during a drag. */
export function CardFace({ record }: { record: CrmRecord }) {
  const { nameOf } = useBoard()
  return (
    <div className={classes.card} data-lifted>
      <span className={classes.head}>
        <Picture record={record} />
        <span className={classes.name}>{nameOf(record)}</span>
      </span>
      <Fields record={record} />
    </div>
  )
}

function useKeys({ record, value }: CardProps) {
  const { locked, held, pickUp } = useBoard()
  return (event: KeyboardEvent<HTMLAnchorElement>) => {
    if (held) return
    if (event.key === ' ') {
      event.preventDefault()
      if (locked === undefined) pickUp(record, value)
    } else if (focusNeighbour(event.currentTarget, event.key)) event.preventDefault()
  }
}

export function Card({ record, value }: CardProps) {
  const { source, locked, held, nameOf } = useBoard()
  const onKeyDown = useKeys({ record, value })
  const { setNodeRef, listeners, isDragging } = useDraggable({
    id: record.id,
    data: { record, from: value },
    disabled: locked !== undefined,
  })
  const isHeld = held?.record.id === record.id
  return (
    <div
      ref={setNodeRef}
      className={classes.card}
      data-dragging={isDragging || undefined}
      data-held={isHeld || undefined}
      data-movable={locked === undefined || undefined}
      {...listeners}
    >
      <span className={classes.head}>
        <Picture record={record} />
        <Link
          to={recordPaths.record(source.org, source.object.slug, record.id)}
          className={`covers ${classes.name}`}
          draggable={false}
          data-card={record.id}
          aria-describedby="board-help"
          onKeyDown={onKeyDown}
        >
          {nameOf(record)}
        </Link>
      </span>
      <Fields record={record} />
      <MoveMenu record={record} value={value} />
    </div>
  )
}
