// The fields of all objects of the report, to be dragged onto its sentences; a menu does the same by keyboard.
import { useDraggable } from '@dnd-kit/core'
import { Menu, TextInput, UnstyledButton } from '@mantine/core'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { isRows } from '../../../components/reports/builder/builder-state.ts'
import { OP_WORDS } from '../../../components/reports/builder/builder-words.ts'
import { canGroup, measuresOf, type ReportField } from '../../../components/reports/builder/report-fields.ts'
import type { ReportObject } from '../../../components/reports/builder/report-objects.ts'
import { attributeIcon } from '../../../ui/icons.ts'
import classes from './builder.module.css'
import { useBuilder } from './builder-context.ts'

function Uses({ field }: { field: ReportField }) {
  const { draft, act, setFiltering, announce } = useBuilder()
  const said = (text: string) => announce(`${text} ${field.fullName} was added`)
  if (isRows(draft))
    return (
      <>
        <Menu.Item onClick={() => act({ does: 'column', field })}>Add as a column</Menu.Item>
        <Menu.Item onClick={() => setFiltering(field)}>Filter</Menu.Item>
      </>
    )
  return (
    <>
      {canGroup(field) && (
        <Menu.Item
          onClick={() => {
            act({ does: 'group', field })
            said('Group by')
          }}
        >
          Group by
        </Menu.Item>
      )}
      <Menu.Item onClick={() => setFiltering(field)}>Filter</Menu.Item>
      <Menu.Divider />
      {measuresOf(field).map((op) => (
        <Menu.Item
          key={op}
          onClick={() => {
            act({ does: 'measure', op, field })
            said(OP_WORDS[op])
          }}
        >
          {OP_WORDS[op]} …
        </Menu.Item>
      ))}
    </>
  )
}

function FieldRow({ field }: { field: ReportField }) {
  const { listeners, setNodeRef, isDragging } = useDraggable({ id: `field-${field.slug}`, data: { field } })
  const Icon = attributeIcon(field.type)
  return (
    <Menu position="right-start" withinPortal>
      <Menu.Target>
        <UnstyledButton
          ref={setNodeRef}
          className={classes.field}
          data-detail={field.isPart || undefined}
          data-dragged={isDragging || undefined}
          title={`${field.fullName}: drag it onto a sentence, or press Enter`}
          {...listeners}
        >
          <Icon size={14} aria-hidden />
          <span>{field.name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Uses field={field} />
      </Menu.Dropdown>
    </Menu>
  )
}

function ObjectFields({ object, fields }: { object: ReportObject; fields: readonly ReportField[] }) {
  if (fields.length === 0) return null
  return (
    <section aria-label={`Fields of ${object.name}`}>
      <h2 className={classes.objectName}>{object.name}</h2>
      <ul className={classes.fields}>
        {fields.map((field) => (
          <li key={field.slug}>
            <FieldRow field={field} />
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
      <div className={classes.fieldScroll}>
        {objects.map((object) => (
          <ObjectFields
            key={object.alias}
            object={object}
            fields={found.filter(({ alias }) => alias === object.alias)}
          />
        ))}
        {found.length === 0 && <p className={classes.muted}>No field is called so</p>}
      </div>
    </aside>
  )
}
