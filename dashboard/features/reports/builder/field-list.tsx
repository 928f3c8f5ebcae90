// The fields of all objects of the report. They can be dragged onto sentences, or added by a menu.
import { useDraggable } from '@dnd-kit/core'
import { Menu, Text, TextInput, UnstyledButton } from '@mantine/core'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { capitalized } from '../../../shared/api/errors.ts'
import { partWords } from '../../../shared/values/part-words.ts'
import { TYPES } from '../../../types/types.ts'
import classes from './builder.module.css'
import { useBuilder } from './builder-context.ts'
import { type Action, isRows } from './builder-state.ts'
import { measureWords } from './builder-words.ts'
import { canGroup, measuresOf, type ReportField } from './report-fields.ts'
import type { ReportObject } from './report-objects.ts'

function RowUses({ field }: { field: ReportField }) {
  const { act } = useBuilder()
  return <Menu.Item onClick={() => act({ does: 'column', field })}>Add as a column</Menu.Item>
}

function SummaryUses({ field }: { field: ReportField }) {
  const { act, objects, fields, announce } = useBuilder()
  const add = (action: Action, name: string) => {
    act(action)
    announce(`${name} was added`)
  }
  return (
    <>
      {canGroup(field) && (
        <Menu.Item onClick={() => add({ does: 'group', field }, `Group by ${field.fullName}`)}>
          Group by
        </Menu.Item>
      )}
      {measuresOf(field).map((op) => {
        const words = measureWords({ objects, fields }, { op, field: field.slug })
        return (
          <Menu.Item key={op} onClick={() => add({ does: 'measure', op, field }, words)}>
            {words}
          </Menu.Item>
        )
      })}
    </>
  )
}

function Uses({ field }: { field: ReportField }) {
  const { draft, setFiltering } = useBuilder()
  return (
    <>
      {isRows(draft) ? <RowUses field={field} /> : <SummaryUses field={field} />}
      <Menu.Divider />
      <Menu.Item onClick={() => setFiltering(field)}>Filter</Menu.Item>
    </>
  )
}

/** Below its field, a part is shown with a short name. Screen readers get the full name. */
function FieldName({ field: { name, part }, isInside }: FieldRowProps) {
  if (!isInside || part === undefined) return <span className="truncate">{name}</span>
  return (
    <span className="truncate">
      <span className="visually-hidden">{name}</span>
      <span aria-hidden>{capitalized(partWords(part))}</span>
    </span>
  )
}

interface FieldRowProps {
  field: ReportField
  /** Whether the part is listed below its field. */
  isInside: boolean
}

function FieldRow({ field, isInside }: FieldRowProps) {
  const { listeners, setNodeRef, isDragging } = useDraggable({ id: `field-${field.slug}`, data: { field } })
  const Icon = TYPES[field.type].icon
  return (
    <Menu position="right-start" withinPortal>
      <Menu.Target>
        <UnstyledButton
          ref={setNodeRef}
          className="row wide gap-8 hoverable rounded"
          fz="sm"
          h={28}
          px={8}
          pl={isInside ? 20 : 8}
          opacity={isDragging ? 0.5 : 1}
          title={`${field.fullName}: drag it onto a sentence, or press Enter`}
          {...listeners}
        >
          <Icon size={14} aria-hidden className="muted" />
          <FieldName field={field} isInside={isInside} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Uses field={field} />
      </Menu.Dropdown>
    </Menu>
  )
}

interface ObjectFieldsProps {
  object: ReportObject
  fields: readonly ReportField[]
  /** In search results, parts may be listed without their field. */
  isSearched: boolean
}

function ObjectFields({ object, fields, isSearched }: ObjectFieldsProps) {
  if (fields.length === 0) return null
  return (
    <section aria-label={`Fields of ${object.name}`}>
      <Text component="h2" size="xs" c="dimmed" fw={600} mt={8} mb={4}>
        {object.name}
      </Text>
      <ul>
        {fields.map((field) => (
          <li key={field.slug}>
            <FieldRow field={field} isInside={field.part !== undefined && !isSearched} />
          </li>
        ))}
      </ul>
    </section>
  )
}

export function FieldList() {
  const { objects, fields } = useBuilder()
  const [typed, setTyped] = useState('')
  const text = typed.trim().toLowerCase()
  const found = fields.filter(({ fullName }) => fullName.toLowerCase().includes(text))
  return (
    <aside className={classes.fieldList} aria-label="Fields">
      <TextInput
        aria-label="Find a field"
        placeholder="Find a field"
        leftSection={<Search size={14} aria-hidden />}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        size="xs"
      />
      <div className="scroll">
        {objects.map((object) => (
          <ObjectFields
            key={object.alias}
            object={object}
            isSearched={text !== ''}
            fields={found.filter(({ alias }) => alias === object.alias)}
          />
        ))}
        {found.length === 0 && <Text c="dimmed">No results</Text>}
      </div>
    </aside>
  )
}
