// Edits the options of a saved attribute: rename, color, move, merge and remove.

import { DndContext, useDroppable } from '@dnd-kit/core'
import { ActionIcon, Box, Button, Input, Menu, TextInput } from '@mantine/core'
import { Palette, Plus, X } from 'lucide-react'
import { useRef } from 'react'
import { OPTION } from '../../../../contract/attribute-types/select.ts'
import { counted, formatCount } from '../../../../contract/counted.ts'
import { OPTION_COLORS } from '../../../../contract/option-colors.ts'
import { Chip } from '../../../ui/chip.tsx'
import { Select } from '../../../ui/select.tsx'
import { MoveHandle, useSorting } from '../../../ui/sorting.tsx'
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
  const { setNodeRef } = useDroppable({ id: row.key })
  return (
    <li ref={setNodeRef} className="row gap-2">
      <MoveHandle id={row.key} name={nameOf(row)} onMove={onMove} />
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

function List(props: OptionRowsProps) {
  const { value, onChange, records } = props
  const { rows, context, moveBy, announcement } = useSorting({
    items: value.rows,
    idOf: ({ key }) => key,
    nameOf,
    onMove: (from, to) => onChange(withMoved(value, from, to)),
  })
  return (
    <DndContext {...context}>
      <Box component="ul" className="stack gap-4" my={8} aria-label="Options">
        {rows.map((row) => (
          <Row
            key={row.key}
            row={row}
            count={row.was === undefined ? undefined : records(row.was)}
            onChange={(changed) => onChange(withRow(value, changed))}
            onRemove={() => onChange(withoutRow(value, row))}
            onMove={(by) => moveBy(row, by)}
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
