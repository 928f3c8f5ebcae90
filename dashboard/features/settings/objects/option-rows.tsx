// Edits the options of a saved attribute: rename, color, move, merge and remove.

import {
  DndContext,
  type DragEndEvent,
  PointerSensor,
  useDraggable,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { ActionIcon, Box, Button, Input, Menu, TextInput, Tooltip } from '@mantine/core'
import { GripVertical, Palette, Plus, X } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { OPTION } from '../../../../contract/attribute-types/select.ts'
import { counted, formatCount } from '../../../../contract/counted.ts'
import { OPTION_COLORS } from '../../../../contract/option-colors.ts'
import { Chip } from '../../../ui/chip.tsx'
import { Select } from '../../../ui/select.tsx'
import { tooLong } from '../../../ui/too-long.ts'
import {
  type EditedOption,
  type EditedOptions,
  withMoved,
  withNew,
  withoutRow,
  withRow,
  withSuccessor,
} from './edited-options.ts'
import { repeated } from './option-list.ts'

interface OptionRowsProps {
  value: EditedOptions
  onChange(value: EditedOptions): void
  /** How many records have the option; undefined while loading. */
  records(option: string): number | undefined
  /** Whether the attribute is required, so that records need another option. */
  isRequired: boolean
  error?: string | undefined
}

interface RowProps {
  row: EditedOption
  count: number | undefined
  onChange(row: EditedOption): void
  onRemove(): void
  onMove(by: number): void
}

const nameOf = ({ value, was }: EditedOption) => value || was || 'new option'

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

function Handle({ row, onMove }: Pick<RowProps, 'row' | 'onMove'>) {
  const { listeners, setNodeRef } = useDraggable({ id: row.key })
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
        style={{ touchAction: 'none' }}
        aria-label={`Move ${nameOf(row)}`}
        aria-keyshortcuts="ArrowUp ArrowDown"
      >
        <GripVertical size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

function ColorMenu({ row, onChange }: Pick<RowProps, 'row' | 'onChange'>) {
  const tint = row.color && OPTION_COLORS.indexOf(row.color)
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <ActionIcon aria-label={`Color of ${nameOf(row)}${row.color ? `: ${row.color}` : ''}`}>
          {tint === undefined ? (
            <Palette size={14} aria-hidden />
          ) : (
            <Chip index={tint}>
              <span aria-hidden>A</span>
            </Chip>
          )}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {OPTION_COLORS.map((color, index) => (
          <Menu.Item
            key={color}
            aria-current={color === row.color}
            onClick={() => onChange({ ...row, color })}
          >
            <Chip index={index}>{color}</Chip>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function Row({ row, count, onChange, onRemove, onMove }: RowProps) {
  const { setNodeRef, isOver } = useDroppable({ id: row.key })
  return (
    <li ref={setNodeRef} className="row gap-2" data-over={isOver || undefined}>
      <Handle row={row} onMove={onMove} />
      <ColorMenu row={row} onChange={onChange} />
      <TextInput
        flex={1}
        aria-label={row.was === undefined ? 'New option' : `Option ${row.was}`}
        value={row.value}
        onChange={({ currentTarget }) => onChange({ ...row, value: currentTarget.value })}
        error={tooLong(row.value, OPTION.maxLength)}
        autoComplete="off"
      />
      <span className="muted tiny tabular" style={{ minWidth: 40, textAlign: 'end' }}>
        {count !== undefined && (
          <>
            {formatCount(count)}
            <span className="visually-hidden"> records</span>
          </>
        )}
      </span>
      <ActionIcon aria-label={`Remove ${nameOf(row)}`} onClick={onRemove}>
        <X size={14} aria-hidden />
      </ActionIcon>
    </li>
  )
}

const NO_VALUE = ''

/** Chooses what records with a removed option get instead. */
function Removed({ value, onChange, records, isRequired }: OptionRowsProps) {
  const used = value.removed.filter(({ was }) => (records(was) ?? 0) > 0)
  const choices = value.rows
    .filter((row) => row.value.trim() !== '')
    .map((row) => ({ value: row.key, label: row.value }))
  return used.map(({ was, to }) => (
    <Select
      key={was}
      mb={8}
      label={`${counted(records(was) ?? 0, 'record has', 'records have')} ${was}. Give instead`}
      data={isRequired ? choices : [{ value: NO_VALUE, label: 'No value' }, ...choices]}
      value={to ?? (isRequired ? null : NO_VALUE)}
      placeholder="Choose an option"
      onChange={(next) => onChange(withSuccessor(value, was, next || null))}
      allowDeselect={false}
    />
  ))
}

/** Moves rows by pointer and keyboard, and announces each move. */
function useMoving({ value, onChange }: OptionRowsProps) {
  const [announcement, announce] = useState('')
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }))
  const place = (key: unknown, to: number) => {
    const from = value.rows.findIndex((row) => row.key === key)
    const row = value.rows[from]
    if (!row || from === to || to < 0 || to >= value.rows.length) return
    onChange(withMoved(value, from, to))
    announce(`${nameOf(row)} is now at place ${to + 1} of ${value.rows.length}`)
  }
  const end = ({ active, over }: DragEndEvent) =>
    place(
      active.id,
      value.rows.findIndex(({ key }) => key === over?.id),
    )
  return { announcement, sensors, place, end }
}

function List(props: OptionRowsProps) {
  const { value, onChange, records } = props
  const { announcement, sensors, place, end } = useMoving(props)
  return (
    <DndContext sensors={sensors} onDragEnd={end}>
      <Box component="ul" className="stack gap-4" my={8} aria-label="Options">
        {value.rows.map((row, index) => (
          <Row
            key={row.key}
            row={row}
            count={row.was === undefined ? undefined : records(row.was)}
            onChange={(changed) => onChange(withRow(value, changed))}
            onRemove={() => onChange(withoutRow(value, row))}
            onMove={(by) => place(row.key, index + by)}
          />
        ))}
      </Box>
      <div className="visually-hidden" aria-live="polite">
        {announcement}
      </div>
    </DndContext>
  )
}

export function OptionRows(props: OptionRowsProps) {
  const { value, onChange, error } = props
  const added = useRef(0)
  const twice = repeated(value.rows.map((row) => row.value))
  return (
    <Input.Wrapper
      component="fieldset"
      label="Options"
      labelElement="div"
      description="With the number of their records. A new name, a color and an order take effect immediately in records, views, workflows and reports; remove an option to put its records into another"
      error={twice === undefined ? error : `“${twice}” is listed twice`}
    >
      <List {...props} />
      <Removed {...props} />
      <Button
        variant="default"
        leftSection={<Plus size={14} aria-hidden />}
        onClick={() => onChange(withNew(value, `new ${++added.current}`))}
      >
        Add option
      </Button>
    </Input.Wrapper>
  )
}
